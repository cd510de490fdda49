import { FilterForm } from '../forms/filter-form'
import { SelectField, TextField } from '../ui/field'
import { placeOfSubject } from './event-text'
import { actionText } from './event-words'

/**
 * The kinds of events to choose from, with their labels. The names of a kind's actions start with the kind:
 * `project.created` is an action of the kind `project`.
 */
export const kinds = {
  api_token: 'API tokens',
  app: 'App access',
  approval: 'Approval requests',
  audit_log: 'Exports',
  audit_stream: 'Audit stream',
  authorization: 'Authorized apps',
  environment: 'Environments',
  invitation: 'Invitations',
  member: 'Members',
  oauth_app: 'OAuth apps',
  project: 'Projects',
  variable: 'Variables',
  webhook: 'Webhooks',
  workspace: 'Workspace',
}

/**
 * Returns an action's text as a label that starts with a capital letter and has "…" for the subject, such as
 * "Removed the access of …".
 */
const named = (action: string) => {
  const words = actionText(action).replace(/^./, (first) => first.toUpperCase())
  return words.includes(placeOfSubject) ? words : words + placeOfSubject
}

/** The filters of an audit log. An empty value matches all events. */
export type EventFilterValues = {
  /** A kind such as `project`, or an action such as `project.created`. */
  action: string
  /** The ID of a user. */
  user: string
  /** The first day (UTC), such as 2026-11-22. */
  since: string
  /** The last day (UTC), inclusive. */
  until: string
}

/**
 * Classes that make a field fill the row on the narrowest screens, where a date does not fit in half a row.
 */
export const fullRowClass = 'max-[400px]:col-span-full'

/** A form that filters the audit log of a workspace. */
export function EventFilter({
  path,
  values,
  users,
}: {
  path: string
  values: EventFilterValues
  users: { id: string; name: string }[]
}) {
  const { action, user, since, until } = values
  return (
    <FilterForm
      path={path}
      values={values}
      submit="Filter"
      className="grid-cols-2 lg:grid-cols-[1fr_1fr_auto_auto_auto]"
    >
      <SelectField label="Action" name="action" defaultValue={action}>
        <option value="">All actions</option>
        {Object.entries(kinds).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
        {action && !Object.hasOwn(kinds, action) && <option value={action}>{named(action)}</option>}
      </SelectField>
      <SelectField label="User" name="user" defaultValue={user}>
        <option value="">Everyone</option>
        {users.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {user && !users.some(({ id }) => id === user) && <option value={user}>Another user</option>}
      </SelectField>
      <TextField label="From" name="since" type="date" defaultValue={since} className={fullRowClass} />
      <TextField label="To" name="until" type="date" defaultValue={until} className={fullRowClass} />
    </FilterForm>
  )
}
