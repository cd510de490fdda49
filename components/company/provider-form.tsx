'use client'

import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { type Scope, scopeTable } from '@/lib/policy/scopes'
import { FormOutcome } from '../forms/form-outcome'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { SelectField, TextField } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { TextLink } from '../ui/text-link'
import { ValueField } from '../ui/value-field'

export type ShownProvider = {
  issuer: string
  clientId: string
  hasSecret: boolean
  domain: string
  joinAs: string | null
  onlyDoor: boolean
}

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

/** The identity provider of the company: where it is, and whose addresses it speaks for. */
export function ProviderForm({
  workspaceId,
  provider,
  redirectUri,
  action,
}: {
  workspaceId: string
  provider: ShownProvider | null
  redirectUri: string
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  const refused = state.turn > 0 && state.result === undefined
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: workspaceId }} />
      <Section
        title="Identity provider"
        description="Where your company’s people sign in: Okta, Entra ID, or any other OpenID provider."
        action={<TextLink href="/docs/company">How it works</TextLink>}
        footer={<SubmitButton className="ml-auto">Save provider</SubmitButton>}
      >
        <FormOutcome state={state} saved="Provider saved" />
        <TextField
          {...plain}
          label="Issuer"
          name="issuer"
          type="url"
          required
          maxLength={300}
          hint="Such as https://login.example.com. A different issuer ends all access that came through this one."
          defaultValue={state.values.issuer ?? provider?.issuer}
          error={state.fields.issuer}
        />
        <TextField
          {...plain}
          label="Provider’s client ID"
          name="clientId"
          required
          maxLength={300}
          hint="The client ID that the provider gave this service."
          defaultValue={state.values.clientId ?? provider?.clientId}
          error={state.fields.clientId}
        />
        <TextField
          {...plain}
          label="Provider’s client secret"
          name="clientSecret"
          type="password"
          autoComplete="new-password"
          optional
          maxLength={500}
          hint={provider?.hasSecret ? 'A secret is stored. Leave this empty to keep it.' : undefined}
          error={state.fields.clientSecret}
        />
        <TextField
          {...plain}
          label="Mail domain"
          name="domain"
          required
          maxLength={200}
          hint="Such as example.com. The provider speaks for addresses in it, and for no others."
          defaultValue={state.values.domain ?? provider?.domain}
          error={state.fields.domain}
        />
        <ValueField label="Redirect URI to register there" value={redirectUri} />
        <SelectField
          key={`role-${state.turn}`}
          label="People who sign in through it"
          name="joinAs"
          hint="Members keep the role they have."
          defaultValue={state.values.joinAs ?? provider?.joinAs ?? ''}
          error={state.fields.joinAs}
        >
          <option value="">Are invited by an admin</option>
          <option value="VIEWER">Become viewers</option>
          <option value="MEMBER">Become members</option>
        </SelectField>
        <Checkbox
          key={`only-${state.turn}`}
          name="onlyDoor"
          label="The only way in"
          hint="Users with an address in this domain and a role here can sign in only through it, and their tokens work only after they do. Turning this on signs them out, and you after an hour; if the domain isn’t proven yet, proving it does. Instance admins are exempt."
          defaultChecked={refused ? state.values.onlyDoor === 'on' : (provider?.onlyDoor ?? false)}
        />
      </Section>
    </form>
  )
}

/** Lets an app act for the people whom the provider names, or changes how far. */
export function ManagedAppForm({
  workspaceId,
  offered,
  action,
}: {
  workspaceId: string
  offered: readonly string[]
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  const chosen = (state.values.scopes ?? 'workspace:viewer').split('\n')
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: workspaceId }} />
      <Section
        title="Let an app in"
        description="It then acts here for the people your provider names, without asking them. Never beyond their own role, or what you choose here."
        footer={<SubmitButton className="ml-auto">Let app in</SubmitButton>}
      >
        <FormOutcome state={state} saved="App let in" />
        <TextField
          label="App’s client ID"
          name="clientId"
          required
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          hint="The OAuth app needs a secret or a key. Your provider uses the same client ID for it."
          defaultValue={state.values.clientId}
          error={state.fields.clientId}
        />
        <ChoiceGroup key={state.turn} legend="At most" error={state.fields.scopes}>
          {offered.map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              name="scopes"
              value={scope}
              defaultChecked={chosen.includes(scope)}
              hint={scopeTable[scope as Scope].sentence}
            />
          ))}
        </ChoiceGroup>
      </Section>
    </form>
  )
}
