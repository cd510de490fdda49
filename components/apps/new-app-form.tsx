'use client'

import { FocusHeading } from '@/components/ui/focus-heading'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { leastFirst } from '@/lib/features/apps/least-first'
import { CreationForm } from '../forms/creation-form'
import { useAddress } from '../forms/use-address'
import { useFormAction } from '../forms/use-form-action'
import { PageHeader } from '../frame/page-header'
import { ButtonAnchor } from '../ui/button'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup, Radio } from '../ui/choice'
import { SelectField, TextAreaField, TextField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { ValueField } from '../ui/value-field'

export type CreatedApp = { clientId: string; secret: string | null }

/** A form to register an OAuth app. On success, it shows the credentials. */
export function NewAppForm({
  workspaceId,
  developerHref,
  staysInDevelopment,
  apis,
  action,
}: {
  workspaceId: string
  developerHref: string
  staysInDevelopment: boolean
  apis: readonly SelectableApi[]
  action: FormAction<CreatedApp>
}) {
  const [state, submit] = useFormAction(action)
  const trail = [{ label: 'Developer', href: developerHref }]
  const href = state.result && `${developerHref}/${state.result.clientId}/overview`
  useAddress(href, 'App created')
  if (state.result && href) {
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
        description="Shown on the consent page, with the URLs that users return to."
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
            hint="Runs on a server and keeps a client secret."
          />
          <Radio
            label="Native"
            name="type"
            value="NATIVE"
            defaultChecked={values.type === 'NATIVE'}
            hint="Mobile, desktop, command-line, or single-page app. Uses PKCE instead of a secret."
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
          apis={apis}
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

/** Describes the rules for redirect URIs. */
function RedirectUriHint() {
  return (
    <>
      One per line, matched exactly. Web: https, or http on localhost. Native: http://127.0.0.1/callback (any
      port), https, or a custom scheme. Prefer a reverse-domain scheme (com.example.app:/callback), because
      any app can claim myapp://.
    </>
  )
}

/** Shows the client ID of a new app and, for a web app, its secret once. */
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
        description="Native apps use the client ID and PKCE."
        footer={
          // The browser already shows this URL, so a client-side link would not load the app's page.
          <ButtonAnchor href={appHref} variant="primary" className="ml-auto">
            Go to the app
          </ButtonAnchor>
        }
      >
        <FocusHeading />
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
 * Lets the user choose whether a new app is in development.
 * @param forced whether the app must stay in development because the user has no confirmed email address
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

/** The field for the app's name, which the consent page shows. */
export const AppNameField = ({ name, error }: { name: string | undefined; error: string | undefined }) => (
  <TextField
    label="App name"
    name="name"
    required
    maxLength={80}
    autoComplete="off"
    defaultValue={name}
    error={error}
  />
)

/** The description of each scope, from the developer's point of view. */
const sentences: Record<(typeof leastFirst)[number], string> = {
  profile: 'See users’ names and pictures',
  email: 'See users’ email addresses',
  'project:viewer': 'Read the projects they choose',
  'workspace:viewer': 'Read the workspaces they choose',
  notifications: 'Read and manage their notifications',
  'project:member': 'Change the projects they choose',
  'workspace:member': 'Change the workspaces they choose',
  offline_access: 'Keep access while they’re away',
  ssh_keys: 'Manage their SSH keys',
  'project:admin': 'Fully control the projects they choose',
  'workspace:admin': 'Fully control the workspaces they choose, including members',
}

/**
 * The fields for the scopes that an app can request. They are named `scopeLimit` and `allowedScopes`, and
 * `allowedScopesOfForm` reads them.
 */
export function AllowedScopesField({
  allowed,
  apis,
  error,
}: {
  /** The scopes that the app can request; null for all. */
  allowed: readonly string[] | null
  apis: readonly SelectableApi[]
  error: string | undefined
}) {
  return (
    <div className="group/scopes grid gap-4">
      <ChoiceGroup legend="Allowed scopes" error={error}>
        <Radio
          label="All scopes"
          name="scopeLimit"
          value="NONE"
          defaultChecked={allowed === null}
          hint="The app can request any scope. Users decide what to allow."
        />
        <Radio
          label="Selected scopes"
          name="scopeLimit"
          value="SOME"
          defaultChecked={allowed !== null}
          hint="Other scopes are ignored, even if users already granted them."
        />
      </ChoiceGroup>
      <ChoiceGroup
        legend="In addition to sign-in"
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
      {apis.map(({ id, name, identifier, scopes }) => (
        <ChoiceGroup
          key={id}
          legend={name}
          hint={<span dir="ltr">{`resource=${identifier}`}</span>}
          className="group-has-[input[value=NONE]:checked]/scopes:hidden"
        >
          {scopes.map((scope) => (
            <Checkbox
              key={scope.name}
              label={scope.description}
              name="allowedScopes"
              value={scope.name}
              defaultChecked={allowed?.includes(scope.name) ?? false}
              hint={scope.name}
            />
          ))}
        </ChoiceGroup>
      ))}
    </div>
  )
}

/** A registered API whose scopes an app can be allowed to request. */
export type SelectableApi = {
  id: string
  name: string
  identifier: string
  scopes: readonly { name: string; description: string }[]
}

/**
 * The field for the algorithm that signs the app's ID tokens. The default is RS256, because OAuth libraries
 * expect RS256 unless they are configured otherwise.
 */
export const IdTokenAlgField = ({ alg, error }: { alg: string | undefined; error: string | undefined }) => (
  <SelectField
    label="ID token signature"
    name="idTokenAlg"
    hint="Change this only if your library requires another algorithm."
    defaultValue={alg}
    error={error}
  >
    <option value="RS256">RS256</option>
    <option value="ES256">ES256</option>
    <option value="EdDSA">EdDSA</option>
  </SelectField>
)
