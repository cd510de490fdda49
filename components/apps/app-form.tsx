'use client'
import { useActionState } from 'react'
import { type FormAction, type FormState, untouched } from '@/lib/edges/web/forms/form-state'
import type { EditableApp } from '@/lib/features/apps/update-app'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { Section } from '../ui/card'
import { TextAreaField } from '../ui/field'
import { Stack } from '../ui/stack'
import { ValueField } from '../ui/value-field'
import { AdvancedSettings, type AdvancedValues } from './advanced-settings'
import { AllowedScopesField } from './allowed-scopes-field'
import { AppNameField } from './app-name-field'
import { IdTokenAlgField } from './id-token-alg-field'
import { RedirectUriHint } from './new-app-form'
import { ProfileFields } from './profile-fields'

/** Changes an app's name, its addresses, and how strictly it must ask. */
export function AppForm({ app, action }: { app: EditableApp; action: FormAction }) {
  const [state, submit] = useActionState(action, untouched)
  const { values, fields, turn } = state
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={app.id} />
      <Stack>
        <Section
          title="General"
          description="How your app introduces itself: on the consent page, and to the admins of workspaces."
        >
          <FormOutcome state={state} saved="App saved" />
          <ValueField label="Client ID" value={app.id} />
          <AppNameField name={values.name ?? app.name} error={fields.name} />
          <ProfileFields profile={app.profile} values={values} errors={fields} />
        </Section>
        <Section title="Sign-in" description="Where your app sends people back, and how it asks.">
          <TextAreaField
            label="Redirect URIs"
            name="redirectUris"
            required
            mono
            rows={Math.min(10, app.redirectUris.length + 2)}
            spellCheck={false}
            autoCapitalize="none"
            hint={<RedirectUriHint />}
            defaultValue={values.redirectUris ?? app.redirectUris.join('\n')}
            error={fields.redirectUris}
          />
          <TextAreaField
            label="Sign-out URIs"
            name="postLogoutRedirectUris"
            optional
            mono
            rows={2}
            spellCheck={false}
            autoCapitalize="none"
            hint="Where people land after signing out (post_logout_redirect_uri), one per line."
            defaultValue={values.postLogoutRedirectUris ?? app.postLogoutRedirectUris.join('\n')}
            error={fields.postLogoutRedirectUris}
          />
          <IdTokenAlgField
            key={`alg${turn}`}
            alg={values.idTokenAlg ?? app.idTokenAlg}
            error={fields.idTokenAlg}
          />
          <AdvancedSettings key={`advanced${turn}`} app={asSent(app, state)} errors={fields} />
        </Section>
        <Section title="Scopes" description="The most that your app can ask people for.">
          <AllowedScopesField
            key={`scopes${turn}`}
            allowed={allowedAsSent(app, state)}
            error={fields.allowedScopes}
          />
        </Section>
      </Stack>
      <SaveBar state={state} />
    </form>
  )
}

/** The scopes that were chosen when the form was refused; as they are otherwise. */
function allowedAsSent(app: EditableApp, { values, turn, result }: FormState): string[] | null {
  if (turn === 0 || result) return app.allowedScopes
  return values.scopeLimit === 'SOME' ? (values.allowedScopes ?? '').split('\n') : null
}

/** The advanced settings as they were sent, where they were refused; a box that was not checked is not sent at all. */
function asSent(app: EditableApp, { values, turn, result }: FormState): AdvancedValues {
  if (turn === 0 || result) return app
  return {
    type: app.type,
    backchannelLogoutUri: values.backchannelLogoutUri ?? '',
    clientAuthentication: values.clientAuthentication === 'PRIVATE_KEY' ? 'PRIVATE_KEY' : 'SECRET',
    publicKeys: values.publicKeys ?? '',
    requirePushedAuthorization: values.requirePushed === 'on',
    requireSignedRequests: values.requireSigned === 'on',
    highSecurity: values.highSecurity === 'on',
  }
}
