'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { CreationForm } from '../forms/creation-form'
import { ExpiryField } from '../forms/expiry-field'
import { useFormAction } from '../forms/use-form-action'
import { PageHeader } from '../frame/page-header'
import { RoleOptions, roleNames } from '../members/role-select'
import { SelectField, TextField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'

type Choice = { value: string | undefined; error: string | undefined }

/**
 * A form to create an API token. With `places`, the user can limit the token to a workspace or project.
 * Otherwise, `fields` contains the workspace or project. On success, the token is shown once in place of the
 * form. With `trail`, the form also renders the page's heading.
 */
export function NewTokenForm({
  fields: place = {},
  places,
  environments = [],
  title,
  description,
  trail,
  envName,
  listHref,
  action,
}: {
  /** Hidden inputs that identify the token's workspace or project. */
  fields?: Record<string, string>
  /** The workspaces and projects to which the user can limit the token. */
  places?: { value: string; label: string }[]
  /** The environments of a project. If there are any, the user can limit the token to one of them. */
  environments?: { id: string; name: string }[]
  title: string
  description: string
  /** The breadcrumbs of the page, if the page has no heading of its own. */
  trail?: { label: string; href: string }[]
  /** The variable name in the .env download. */
  envName: string
  listHref: string
  action: FormAction<{ token: string }>
}) {
  const [state, submit] = useFormAction(action)
  if (state.result) {
    const { token } = state.result
    return (
      <>
        {trail && <PageHeader title="Token created" trail={trail} />}
        <SecretOnce label="Token" value={token} env={{ [envName]: token }} doneHref={listHref} />
      </>
    )
  }
  const { values, fields, turn } = state
  const role = { value: values.role, error: fields.role }
  return (
    <>
      {trail && <PageHeader title="New token" trail={trail} />}
      <CreationForm
        state={state}
        submit={submit}
        place={place}
        title={title}
        description={description}
        listHref={listHref}
        button="Create token"
      >
        <TextField
          label="Token name"
          name="name"
          required
          maxLength={80}
          autoComplete="off"
          hint="The machine or job that uses this token."
          defaultValue={values.name}
          error={fields.name}
        />
        {places && (
          <SelectField
            key={`reach-${turn}`}
            label="Workspace"
            name="reach"
            hint="A token for one workspace or project can’t access anything else or manage your account."
            defaultValue={values.reach ?? ''}
            error={fields.workspaceId ?? fields.projectId}
          >
            <option value="">All workspaces</option>
            {places.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
        {environments.length > 0 && (
          <SelectField
            key={`environment-${turn}`}
            label="Environment"
            name="environmentId"
            hint="A token for one environment can read and write only the variables of that environment."
            defaultValue={values.environmentId ?? ''}
            error={fields.environmentId}
          >
            <option value="">All environments</option>
            {environments.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {places ? (
          <OwnRoleField key={`role-${turn}`} {...role} />
        ) : (
          <PlaceRoleField key={`role-${turn}`} {...role} />
        )}
        <ExpiryField key={`expires-${turn}`} days={values.expiresInDays} error={fields.expiresAt} />
      </CreationForm>
    </>
  )
}

/**
 * A field for the role limit of a token that users create in their account settings. By default, the role is
 * not limited.
 */
const OwnRoleField = ({ value = '', error }: Choice) => (
  <SelectField
    label="Role"
    name="role"
    hint="The token never gets more access than your own role allows. A token with the Member or Viewer role can’t manage your account."
    defaultValue={value}
    error={error}
  >
    <option value="">Same as my own access</option>
    <option value="MEMBER">{roleNames.MEMBER}: read and write</option>
    <option value="VIEWER">{roleNames.VIEWER}: read only</option>
  </SelectField>
)

/**
 * A field for the role limit of a token for one workspace or project. By default, the limit is the Member
 * role.
 */
const PlaceRoleField = ({ value = 'MEMBER', error }: Choice) => (
  <SelectField
    label="Role"
    name="role"
    hint="The token’s maximum access. Viewers can read, but can’t see the values of variables."
    defaultValue={value}
    error={error}
  >
    <RoleOptions />
  </SelectField>
)
