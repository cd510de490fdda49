'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextAreaField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { SubmitButton } from '../ui/submit-button'
import { Time } from '../ui/time'

/**
 * A form to finish an app transfer. After the transfer is finished, shows the app's new client secret, if
 * any. Pages must therefore render this section even if there is no unfinished transfer.
 * @param endsAt the time at which the app is disabled if the transfer is not finished; null if there is no
 * unfinished transfer
 */
export function FinishTransferSection({
  app,
  endsAt,
  finish,
}: {
  app: {
    id: string
    redirectUris: string[]
    postLogoutRedirectUris: string[]
    keyed: boolean
    needsKeys: boolean
    native: boolean
  }
  endsAt: Date | null
  finish: FormAction<{ secret: string | null }>
}) {
  const [state, submit] = useFormAction(finish)
  const secret = state.result?.secret
  if (secret) {
    return (
      <SecretOnce label="Client secret" value={secret} env={{ CLIENT_ID: app.id, CLIENT_SECRET: secret }} />
    )
  }
  if (!endsAt) return null
  const { values, fields } = state
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={app.id} />
      <Section
        title="Finish the transfer"
        description={
          <>
            The former owner might control these URIs and know the app’s credentials. Finish before{' '}
            <Time at={endsAt} />. After that, the app is disabled.
          </>
        }
        footer={<SubmitButton className="ml-auto">Finish transfer</SubmitButton>}
      >
        <FormOutcome state={state} />
        <Addresses
          label="Redirect URIs"
          name="redirectUris"
          required
          hint="One per line. Remove every URI that you don’t control."
          value={values.redirectUris ?? app.redirectUris.join('\n')}
          error={fields.redirectUris}
        />
        <Addresses
          label="Sign-out URIs"
          name="postLogoutRedirectUris"
          hint="Where users go after they sign out. One per line."
          value={values.postLogoutRedirectUris ?? app.postLogoutRedirectUris.join('\n')}
          error={fields.postLogoutRedirectUris}
        />
        {app.needsKeys && (
          <Addresses
            label="New public keys"
            name="publicKeys"
            required
            hint="A JSON Web Key Set, or the https URL where the app publishes it. The current keys stop working when you finish the transfer."
            value={values.publicKeys ?? ''}
            error={fields.publicKeys}
          />
        )}
        <p className="text-muted">
          {app.native || app.keyed
            ? 'After you finish the transfer, the app counts as one of this workspace’s own apps.'
            : 'Finishing the transfer creates a new client secret and immediately revokes the former owner’s secrets. The app then counts as one of this workspace’s own apps.'}
        </p>
      </Section>
    </form>
  )
}

function Addresses({
  label,
  name,
  hint,
  value,
  error,
  required = false,
}: {
  label: string
  name: string
  hint: string
  value: string
  error: string | undefined
  required?: boolean
}) {
  return (
    <TextAreaField
      label={label}
      name={name}
      required={required}
      optional={!required}
      mono
      rows={3}
      spellCheck={false}
      autoCapitalize="none"
      hint={hint}
      defaultValue={value}
      error={error}
    />
  )
}
