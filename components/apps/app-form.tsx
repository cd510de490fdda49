'use client'

import type { FormAction, FormState } from '@/lib/edges/web/forms/form-state'
import type { AppProfile } from '@/lib/features/apps/app-profile'
import type { EditableApp } from '@/lib/features/apps/update-app'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup, Radio } from '../ui/choice'
import { TextAreaField, TextField } from '../ui/field'
import { ChevronRight } from '../ui/icon'
import { Stack } from '../ui/stack'
import { AllowedScopesField, AppNameField, IdTokenAlgField, type SelectableApi } from './new-app-form'
import { UriRows } from './uri-rows'

/** A form to change an app's name, profile, sign-in settings, and allowed scopes. */
export function AppForm({
  app,
  apis,
  action,
}: {
  app: EditableApp
  apis: readonly SelectableApi[]
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  const { values, fields, turn } = state
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={app.id} />
      <Stack>
        <Section title="General" description="Shown on the consent page and to workspace admins.">
          <FormOutcome state={state} saved="App saved" />
          <AppNameField name={values.name ?? app.name} error={fields.name} />
          <ProfileFields profile={app.profile} values={values} errors={fields} />
        </Section>
        <Section title="Sign-in" description="Redirect URIs and authentication settings.">
          <UriRows
            key={`redirect${turn}`}
            id="redirect-uris"
            label="Redirect URIs"
            name="redirectUris"
            hint={
              app.type === 'WEB'
                ? 'Matched exactly. Use https, or http on localhost.'
                : 'Matched exactly. Use http://127.0.0.1/callback (any port), https, or a custom scheme. Prefer a reverse-domain scheme (com.example.app:/callback), because any app can claim myapp://.'
            }
            uris={values.redirectUris ?? app.redirectUris.join('\n')}
            error={fields.redirectUris}
          />
          <UriRows
            key={`logout${turn}`}
            id="sign-out-uris"
            label="Sign-out URIs"
            name="postLogoutRedirectUris"
            optional
            hint="Where users go after they sign out (post_logout_redirect_uri)."
            uris={values.postLogoutRedirectUris ?? app.postLogoutRedirectUris.join('\n')}
            error={fields.postLogoutRedirectUris}
          />
          <IdTokenAlgField
            key={`alg${turn}`}
            alg={values.idTokenAlg ?? app.idTokenAlg}
            error={fields.idTokenAlg}
          />
          <AdvancedSettings key={`advanced${turn}`} app={asSent(app, state)} errors={fields} />
        </Section>
        <Section title="Scopes" description="The maximum access that your app can request.">
          <AllowedScopesField
            key={`scopes${turn}`}
            allowed={allowedAsSent(app, state)}
            apis={apis}
            error={fields.allowedScopes}
          />
        </Section>
      </Stack>
      <SaveBar state={state} covers="Saves General, Sign-in, and Scopes." />
    </form>
  )
}

/**
 * Returns the allowed scopes from a rejected form, or else the saved scopes. Returns null if all scopes are
 * allowed.
 */
function allowedAsSent(app: EditableApp, { values, turn, result }: FormState): string[] | null {
  if (turn === 0 || result) return app.allowedScopes
  return values.scopeLimit === 'SOME' ? (values.allowedScopes ?? '').split('\n') : null
}

/**
 * Returns the advanced settings from a rejected form, or else the saved settings. Form data contains only
 * checked boxes, so a box that is missing from the data counts as unchecked.
 */
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

/** The advanced settings that a form shows: the values that were just rejected, or else the saved values. */
export type AdvancedValues = Pick<
  EditableApp,
  | 'type'
  | 'backchannelLogoutUri'
  | 'clientAuthentication'
  | 'publicKeys'
  | 'requirePushedAuthorization'
  | 'requireSignedRequests'
  | 'highSecurity'
>

/**
 * Shows settings that few apps need. The section is collapsed unless one of these settings is set or has an
 * error.
 */
function AdvancedSettings({ app, errors }: { app: AdvancedValues; errors: Record<string, string> }) {
  const web = app.type === 'WEB'
  return (
    <details className="group min-w-0" open={isSet(app) || fieldNames.some((name) => errors[name])}>
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 text-muted group-open:rotate-90" />
        Advanced
      </summary>
      <div className="mt-4 grid gap-5">
        <TextField
          label="Back-channel logout URI"
          name="backchannelLogoutUri"
          type="url"
          optional
          hint="Receives a signed message when a user signs out (backchannel_logout_uri). The URL must use https on port 443."
          defaultValue={app.backchannelLogoutUri}
          error={errors.backchannelLogoutUri}
        />
        {web && (
          <ChoiceGroup legend="Client authentication" error={errors.clientAuthentication}>
            <Radio
              label="Secret"
              name="clientAuthentication"
              value="SECRET"
              defaultChecked={app.clientAuthentication !== 'PRIVATE_KEY'}
              hint="The app sends one of its client secrets."
            />
            <Radio
              label="Private key"
              name="clientAuthentication"
              value="PRIVATE_KEY"
              defaultChecked={app.clientAuthentication === 'PRIVATE_KEY'}
              hint="The app authenticates with a JWT signed with its private key (private_key_jwt). Saving this choice revokes its client secrets."
            />
          </ChoiceGroup>
        )}
        <TextAreaField
          label="Public keys"
          name="publicKeys"
          optional
          mono
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          hint="A JSON Web Key Set, or the https URL where the app publishes it. Used to verify the app’s signatures."
          defaultValue={app.publicKeys}
          error={errors.publicKeys}
        />
        <Checkbox
          label="Require pushed authorization requests"
          name="requirePushed"
          defaultChecked={app.requirePushedAuthorization}
          hint="The app must first push its authorization requests to /oauth/request, with its credentials (RFC 9126). Other authorization requests are rejected."
        />
        <Checkbox
          label="Require signed requests"
          name="requireSigned"
          defaultChecked={app.requireSignedRequests}
          hint="Authorization requests must be signed with one of the public keys (RFC 9101). Unsigned requests are rejected."
        />
        {web && (
          <Checkbox
            label="High security"
            name="highSecurity"
            defaultChecked={app.highSecurity}
            hint="Enforces the FAPI 2.0 Security Profile: a private key, pushed requests, PKCE, tokens bound to a key (DPoP), ID tokens signed with ES256 or EdDSA, and shorter token lifetimes."
          />
        )}
      </div>
    </details>
  )
}

const fieldNames = ['backchannelLogoutUri', 'clientAuthentication', 'publicKeys', 'highSecurity']

const isSet = (app: AdvancedValues): boolean =>
  app.backchannelLogoutUri !== '' ||
  app.clientAuthentication === 'PRIVATE_KEY' ||
  app.publicKeys !== '' ||
  app.requirePushedAuthorization ||
  app.requireSignedRequests ||
  app.highSecurity

/** The fields of an app's profile. All fields are optional. */
function ProfileFields({
  profile,
  values,
  errors,
}: {
  profile: AppProfile
  values: Record<string, string>
  errors: Record<string, string>
}) {
  return (
    <>
      <TextAreaField
        label="Description"
        name="description"
        optional
        rows={2}
        maxLength={200}
        hint="What your app does, in one sentence."
        defaultValue={values.description ?? profile.description ?? ''}
        error={errors.description}
      />
      <TextField
        label="Website"
        name="homepageUrl"
        type="url"
        optional
        defaultValue={values.homepageUrl ?? profile.website ?? ''}
        error={errors.homepageUrl}
      />
      <TextField
        label="Support"
        name="support"
        optional
        hint="An email address, or the https URL of a page."
        defaultValue={values.support ?? profile.support ?? ''}
        error={errors.support}
      />
      <TextField
        label="Privacy policy"
        name="privacyUrl"
        type="url"
        optional
        defaultValue={values.privacyUrl ?? profile.privacyUrl ?? ''}
        error={errors.privacyUrl}
      />
      <TextField
        label="Terms"
        name="termsUrl"
        type="url"
        optional
        defaultValue={values.termsUrl ?? profile.termsUrl ?? ''}
        error={errors.termsUrl}
      />
    </>
  )
}
