'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { Api } from '@/lib/features/resources/apis'
import { scopeLines } from '@/lib/features/resources/scope-lines'
import { CreationForm } from '../forms/creation-form'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useAddress } from '../forms/use-address'
import { useFormAction } from '../forms/use-form-action'
import { PageHeader } from '../frame/page-header'
import { Section } from '../ui/card'
import { ChoiceGroup, Radio } from '../ui/choice'
import { SelectField, TextField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { Stack } from '../ui/stack'
import { ValueField } from '../ui/value-field'
import { ScopeRows, scopesHint } from './scope-rows'

const list = '/admin/apis'
const trail = [{ label: 'APIs', href: list }]

/** A form to register an API. On success, it shows the API ID and, once, the client secret. */
export function NewApiForm({ action }: { action: FormAction<{ id: string; secret: string }> }) {
  const [state, submit] = useFormAction(action)
  const { values, fields, turn, result } = state
  const href = result && `${list}/${result.id}`
  useAddress(href, 'API registered')
  if (result && href) {
    return (
      <>
        <PageHeader title="API registered" trail={trail} />
        <SecretOnce
          label="Client secret"
          value={result.secret}
          env={{ API_ID: result.id, API_SECRET: result.secret }}
          doneHref={href}
        >
          <ValueField label="API ID" value={result.id} hint="The client ID of the API for introspection." />
        </SecretOnce>
      </>
    )
  }
  return (
    <>
      <PageHeader title="Register API" trail={trail} />
      <CreationForm
        state={state}
        submit={submit}
        place={{}}
        title="API"
        description="A service on your platform that accepts access tokens from this instance."
        listHref={list}
        button="Register API"
      >
        <TextField
          label="Identifier"
          name="identifier"
          type="url"
          required
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          placeholder="https://deployments.example.com"
          hint="An https URL without a trailing slash. Apps send it as the resource parameter, and it’s the audience of the API’s tokens. You can’t change it later."
          defaultValue={values.identifier}
          error={fields.identifier}
        />
        <ApiFields key={turn} values={values} errors={fields} />
        <ScopeRows key={`scopes${turn}`} lines={values.scopes ?? ''} error={fields.scopes} titled />
      </CreationForm>
    </>
  )
}

/** A form to change the settings of an API. */
export function ApiSettingsForm({ api, action }: { api: Api; action: FormAction }) {
  const [state, submit] = useFormAction(action)
  const { values, fields, turn, result } = state
  const shown =
    turn > 0 && !result
      ? values
      : {
          name: api.name,
          format: api.tokenFormat,
          lifetime: String(api.tokenLifetime),
          algorithm: api.signingAlgorithm,
          eventsUrl: api.eventsUrl ?? '',
          scopes: scopeLines(api.scopes),
        }
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={api.id} />
      <Stack>
        <Section title="Settings" description="Changes to the format and lifetime apply only to new tokens.">
          <FormOutcome state={state} saved="API saved" />
          <ApiFields key={turn} errors={fields} values={shown} />
        </Section>
        <Section title="Scopes" description={scopesHint} flush>
          <ScopeRows key={turn} lines={shown.scopes ?? ''} error={fields.scopes} />
        </Section>
      </Stack>
      <SaveBar state={state} covers="Saves Settings and Scopes." />
    </form>
  )
}

/**
 * The fields for an API's editable settings, except its scopes. `apiOfForm` (lib/features/resources/input.ts)
 * reads them.
 */
function ApiFields({ values, errors }: { values: Record<string, string>; errors: Record<string, string> }) {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={80}
        autoComplete="off"
        hint="Shown on the consent page."
        defaultValue={values.name}
        error={errors.name}
      />
      <ChoiceGroup legend="Token format" error={errors.tokenFormat}>
        <Radio
          label="Opaque"
          name="format"
          value="OPAQUE"
          defaultChecked={values.format !== 'JWT'}
          hint="The API introspects each token at this instance. Revocation takes effect within seconds."
        />
        <Radio
          label="JWT"
          name="format"
          value="JWT"
          defaultChecked={values.format === 'JWT'}
          hint="The API verifies the signature itself (RFC 9068). A revoked token works until it expires."
        />
      </ChoiceGroup>
      <TextField
        label="Token lifetime"
        name="lifetime"
        inputMode="numeric"
        optional
        hint="In seconds. Opaque tokens: 60 to 3600 (default: 3600). JWTs: 60 to 900 (default: 300)."
        defaultValue={values.lifetime}
        error={errors.tokenLifetime}
      />
      <SelectField
        label="Signing algorithm"
        name="algorithm"
        hint="Used for JWTs and signed introspection responses."
        defaultValue={values.algorithm ?? 'RS256'}
        error={errors.signingAlgorithm}
      >
        <option value="RS256">RS256</option>
        <option value="ES256">ES256</option>
        <option value="EdDSA">EdDSA</option>
      </SelectField>
      <TextField
        label="Event URL"
        name="eventsUrl"
        type="url"
        optional
        hint="Receives a signed message when access is revoked or a user signs out (RFC 8935), so that the API can reject JWTs before they expire. The URL must use https on port 443."
        defaultValue={values.eventsUrl}
        error={errors.eventsUrl}
      />
    </>
  )
}
