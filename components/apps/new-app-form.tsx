'use client'

import { useActionState } from 'react'
import { TakesFocus } from '@/components/ui/takes-focus'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { leastFirst } from '@/lib/features/apps/least-first'
import { CreationForm } from '../forms/creation-form'
import { PageHeader } from '../frame/page-header'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup, Radio } from '../ui/choice'
import { SelectField, TextAreaField, TextField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { ValueField } from '../ui/value-field'

export type CreatedApp = { clientId: string; secret: string | null }

/** The page that registers an OAuth app. When it worked, the form gives way to what must be taken along. */
export function NewAppForm({
  workspaceId,
  developerHref,
  staysInDevelopment,
  action,
}: {
  workspaceId: string
  developerHref: string
  staysInDevelopment: boolean
  action: FormAction<CreatedApp>
}) {
  const [state, submit] = useActionState(action, untouched)
  const trail = [{ label: 'Developer', href: developerHref }]
  if (state.result) {
    const href = `${developerHref}/${state.result.clientId}/overview`
    return (
      <>
        <PageHeader title="App created" trail={trail} />
        <AppCreated {...state.result} appHref={href} />
      </>
    )
  }
  const { values, fields, turn } = state
  return (
    <>
      <PageHeader title="New OAuth App" trail={trail} />
      <CreationForm
        state={state}
        submit={submit}
        place={{ workspaceId }}
        title="App"
        description="How your app introduces itself, and where it sends people back."
        listHref={developerHref}
        button="Create app"
      >
        <AppNameField name={values.name} error={fields.name} />
        <ChoiceGroup legend="Type" error={fields.type} key={turn}>
          <Radio
            label="Web"
            name="type"
            value="WEB"
            required
            defaultChecked={values.type !== 'NATIVE'}
            hint="Runs on a server that can keep a secret."
          />
          <Radio
            label="Native"
            name="type"
            value="NATIVE"
            defaultChecked={values.type === 'NATIVE'}
            hint="Mobile, desktop, command line, or a single-page app: no secret, PKCE instead."
          />
        </ChoiceGroup>
        <TextAreaField
          label="Redirect URIs"
          name="redirectUris"
          required
          mono
          rows={4}
          spellCheck={false}
          autoCapitalize="none"
          hint={<RedirectUriHint />}
          defaultValue={values.redirectUris}
          error={fields.redirectUris}
        />
        <AllowedScopesField
          key={`scopes${turn}`}
          allowed={values.scopeLimit === 'SOME' ? (values.allowedScopes ?? '').split('\n') : null}
          error={fields.allowedScopes}
        />
        <InDevelopmentBox
          key={`development${turn}`}
          checked={values.inDevelopment === 'on'}
          forced={staysInDevelopment}
        />
        <IdTokenAlgField key={`alg${turn}`} alg={values.idTokenAlg} error={fields.idTokenAlg} />
      </CreationForm>
    </>
  )
}

/** The rules of redirect URIs, in the words of the form. */
export function RedirectUriHint() {
  return (
    <>
      One per line. Each must match exactly. Web: https, or http on localhost. Native:
      http://127.0.0.1/callback (without a port it accepts any), https, or a scheme of your own. Prefer your
      domain backwards, such as com.example.app:/callback: other apps may claim myapp://callback too.
    </>
  )
}

/** The moment after creating an app: its Client ID, and for a web app its secret, this once. */
function AppCreated({
  clientId,
  secret,
  appHref,
}: {
  clientId: string
  secret: string | null
  appHref: string
}) {
  if (secret === null) {
    return (
      <Section
        title="No secret needed"
        description="A native app identifies itself by its Client ID and PKCE."
        footer={
          <ButtonLink href={appHref} variant="primary" className="ml-auto">
            Go to the app
          </ButtonLink>
        }
      >
        <TakesFocus />
        <ValueField label="Client ID" value={clientId} />
      </Section>
    )
  }
  return (
    <SecretOnce
      label="Client secret"
      value={secret}
      env={{ CLIENT_ID: clientId, CLIENT_SECRET: secret }}
      doneHref={appHref}
    >
      <ValueField label="Client ID" value={clientId} />
    </SecretOnce>
  )
}

/**
 * Whether a new app is only for the members of its workspace for now.
 * @param forced the user has no confirmed email address, so the app stays in development
 */
const InDevelopmentBox = ({ checked, forced }: { checked: boolean; forced: boolean }) => (
  <Checkbox
    label="In development"
    name="inDevelopment"
    defaultChecked={checked || forced}
    disabled={forced}
    hint={
      forced
        ? 'Only members of this workspace can authorize the app. To move it to production, confirm your email address first.'
        : 'Only members of this workspace can authorize the app, until you move it to production.'
    }
  />
)

/** The app's name, which the consent page shows. */
export const AppNameField = ({ name, error }: { name: string | undefined; error: string | undefined }) => (
  <TextField
    label="App name"
    name="name"
    required
    maxLength={80}
    autoComplete="off"
    hint="Shown on the consent page."
    defaultValue={name}
    error={error}
  />
)

/** What an app with a scope can do, from the point of view of its developer. */
const sentences: Record<(typeof leastFirst)[number], string> = {
  profile: 'Know people’s names and pictures',
  email: 'Know people’s email addresses',
  'project:viewer': 'Read the projects they choose',
  'workspace:viewer': 'Read the workspaces they choose',
  notifications: 'Read and manage their notifications',
  'project:member': 'Change the projects they choose',
  'workspace:member': 'Change the workspaces they choose',
  offline_access: 'Keep working while they’re away',
  ssh_keys: 'Manage their SSH keys',
  'project:admin': 'Fully control the projects they choose',
  'workspace:admin': 'Fully control the workspaces they choose, members included',
}

/** Sends the fields `scopeLimit` and `allowedScopes`, for `allowedScopesOfForm`. */
export function AllowedScopesField({
  allowed,
  error,
}: {
  /** The scopes that the app can request; null for all. */
  allowed: readonly string[] | null
  error: string | undefined
}) {
  return (
    <div className="group/scopes grid gap-4">
      <ChoiceGroup legend="What it may ask for" error={error}>
        <Radio
          label="Everything"
          name="scopeLimit"
          value="NONE"
          defaultChecked={allowed === null}
          hint="Anything it asks for. The person decides."
        />
        <Radio
          label="Only some things"
          name="scopeLimit"
          value="SOME"
          defaultChecked={allowed !== null}
          hint="Anything else it asks for is left out, and what people allowed it before no longer counts."
        />
      </ChoiceGroup>
      <ChoiceGroup
        legend="Beside signing people in"
        className="group-has-[input[value=NONE]:checked]/scopes:hidden"
      >
        {leastFirst.map((scope) => (
          <Checkbox
            key={scope}
            label={sentences[scope]}
            name="allowedScopes"
            value={scope}
            defaultChecked={allowed?.includes(scope) ?? false}
            hint={scope}
          />
        ))}
      </ChoiceGroup>
    </div>
  )
}

/** The algorithm that signs the app's ID tokens. Libraries expect RS256 unless configured otherwise. */
export const IdTokenAlgField = ({ alg, error }: { alg: string | undefined; error: string | undefined }) => (
  <SelectField
    label="ID token signature"
    name="idTokenAlg"
    hint="Change it only if your library expects another."
    defaultValue={alg}
    error={error}
  >
    <option value="RS256">RS256</option>
    <option value="ES256">ES256</option>
    <option value="EdDSA">EdDSA</option>
  </SelectField>
)
