'use client'

import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { adminSentence } from '../app-access/scope-sentences'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { SelectField, TextField } from '../ui/field'
import { TextLink } from '../ui/link'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

export type ShownProvider = {
  issuer: string
  clientId: string
  hasSecret: boolean
  domain: string
  joinAs: string | null
  requiresSso: boolean
}

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

/**
 * A form for an SSO connection: the identity provider, the email domain, the role of new users, and whether
 * SSO is required.
 */
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
  const [state, submit] = useFormAction(action)
  const refused = state.turn > 0 && state.result === undefined
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: workspaceId }} />
      <Section
        title="Identity provider"
        description="Where your users sign in: Okta, Entra ID, or any other OpenID provider."
        action={<TextLink href="/docs/sso">How it works</TextLink>}
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
          hint="For example, https://login.example.com. If you change the issuer, all access through the current issuer ends."
          defaultValue={state.values.issuer ?? provider?.issuer}
          error={state.fields.issuer}
        />
        <TextField
          {...plain}
          label="Provider’s client ID"
          name="clientId"
          required
          maxLength={300}
          hint="The client ID that the provider assigned to this instance."
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
          label="Email domain"
          name="domain"
          required
          maxLength={200}
          hint="For example, example.com. The provider can sign in only users with an address in this domain."
          defaultValue={state.values.domain ?? provider?.domain}
          error={state.fields.domain}
        />
        <ValueField label="Redirect URI to register at the provider" value={redirectUri} />
        <SelectField
          key={`role-${state.turn}`}
          label="Role of new users"
          name="joinAs"
          hint="Existing members keep their role."
          defaultValue={state.values.joinAs ?? provider?.joinAs ?? ''}
          error={state.fields.joinAs}
        >
          <option value="">None (invitation required)</option>
          <option value="VIEWER">Viewer</option>
          <option value="MEMBER">Member</option>
        </SelectField>
        <Checkbox
          key={`only-${state.turn}`}
          name="requiresSso"
          label="Require single sign-on"
          hint="Users with a role in this workspace and an email address in this domain must sign in through SSO. Once the domain is verified, their sessions from other sign-in methods end, and their tokens stop working until they sign in through SSO. Your own session ends after one hour. Instance admins are exempt."
          defaultChecked={refused ? state.values.requiresSso === 'on' : (provider?.requiresSso ?? false)}
        />
      </Section>
    </form>
  )
}

/** A form to allow an SSO-managed app, or to replace the scopes of an app that is already allowed. */
export function ManagedAppForm({
  workspaceId,
  offered,
  action,
}: {
  workspaceId: string
  offered: readonly string[]
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  const chosen = (state.values.scopes ?? 'workspace:viewer').split('\n')
  return (
    <form action={submit}>
      <HiddenFields fields={{ id: workspaceId }} />
      <Section
        title="Allow an app"
        description="Your identity provider can then let the app act for users in this workspace, without a consent page. The app never gets more access than the user’s own role and the selected scopes allow."
        footer={
          <SubmitButton variant="secondary" className="ml-auto">
            Allow app
          </SubmitButton>
        }
      >
        <FormOutcome state={state} saved="App allowed" />
        <TextField
          label="App’s client ID"
          name="clientId"
          required
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          hint="The app must be an OAuth app with a secret or a key. Your provider must use the same client ID for the app."
          defaultValue={state.values.clientId}
          error={state.fields.clientId}
        />
        <ChoiceGroup key={state.turn} legend="Scopes" error={state.fields.scopes}>
          {offered.map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              name="scopes"
              value={scope}
              defaultChecked={chosen.includes(scope)}
              hint={adminSentence(scope)}
            />
          ))}
        </ChoiceGroup>
      </Section>
    </form>
  )
}
