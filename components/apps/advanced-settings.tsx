import { ChevronRight } from 'lucide-react'
import type { EditableApp } from '@/lib/features/apps/update-app'
import { Checkbox, ChoiceGroup, Radio } from '../ui/choice'
import { TextAreaField, TextField } from '../ui/field'

/** The settings as a form shows them: as they are, or as they were sent when they were refused. */
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

/** What few apps need, out of the way until it is asked for; open where something in it is set or was refused. */
export function AdvancedSettings({ app, errors }: { app: AdvancedValues; errors: Record<string, string> }) {
  const web = app.type === 'WEB'
  return (
    <details className="group min-w-0" open={isSet(app) || fieldNames.some((name) => errors[name])}>
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-muted group-open:rotate-90" />
        Advanced
      </summary>
      <div className="mt-4 grid gap-5">
        <TextField
          label="Address for sign-outs"
          name="backchannelLogoutUri"
          type="url"
          optional
          hint="Gets a signed message whenever somebody signs out here (backchannel_logout_uri). https on port 443."
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
              hint="The app signs a statement instead (private_key_jwt). Its secrets are revoked."
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
          hint="A JSON Web Key Set, or the https address where the app publishes it. We verify what the app signs with them."
          defaultValue={app.publicKeys}
          error={errors.publicKeys}
        />
        <Checkbox
          label="Require pushed authorization requests"
          name="requirePushed"
          defaultChecked={app.requirePushedAuthorization}
          hint="Requests must be pushed to /oauth/request first (RFC 9126), authenticated; plain ones are refused."
        />
        <Checkbox
          label="Require signed requests"
          name="requireSigned"
          defaultChecked={app.requireSignedRequests}
          hint="Requests must be signed by one of the public keys (RFC 9101); plain ones are refused."
        />
        {web && (
          <Checkbox
            label="High security"
            name="highSecurity"
            defaultChecked={app.highSecurity}
            hint="The FAPI 2.0 Security Profile: a private key, pushed requests, PKCE, tokens bound to a key (DPoP), ES256 or EdDSA, and shorter lifetimes, all at once."
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
