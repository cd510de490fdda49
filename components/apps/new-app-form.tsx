'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { CreationForm } from '../forms/creation-form'
import { PageHeader } from '../frame/page-header'
import { ChoiceGroup, Radio } from '../ui/choice'
import { TextAreaField } from '../ui/field'
import { AllowedScopesField } from './allowed-scopes-field'
import { AppCreated } from './app-created'
import { AppNameField } from './app-name-field'
import { IdTokenAlgField } from './id-token-alg-field'
import { InDevelopmentBox } from './in-development-box'

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
