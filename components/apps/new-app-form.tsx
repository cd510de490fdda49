'use client'

import { useActionState } from 'react'
import { TakesFocus } from '@/components/ui/takes-focus'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { CreationForm } from '../forms/creation-form'
import { PageHeader } from '../frame/page-header'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup, Radio } from '../ui/choice'
import { TextAreaField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { ValueField } from '../ui/value-field'
import { AllowedScopesField, AppNameField, IdTokenAlgField } from './app-fields'

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
