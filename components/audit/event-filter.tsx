import Form from 'next/form'
import { Button } from '../ui/button'
import { SelectField, TextField } from '../ui/field'
import { placeOfSubject, wordsOf } from './event-words'

/** What is recorded of a workspace, by the noun of its actions. */
const kinds = {
  api_token: 'API tokens',
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

/** A single action as a choice: "Removed the access of …". */
const named = (action: string) => {
  const words = wordsOf(action).replace(/^./, (first) => first.toUpperCase())
  return words.includes(placeOfSubject) ? words : words + placeOfSubject
}

/** What an audit log is narrowed by; empty for all. */
export type EventFilterValues = {
  /** A kind such as `project`, or a whole action such as `project.created`. */
  action: string
  /** The id of a person. */
  person: string
  /** Days such as 2026-11-22, both included. */
  since: string
  until: string
}

/** Half of the narrowest line would cut a date. */
export const wholeRow = 'max-[400px]:col-span-full'

/** Narrows an audit log, in the page's address, so that it can be shared and works without a script. */
export function EventFilter({
  path,
  values,
  people,
}: {
  path: string
  values: EventFilterValues
  people: { id: string; name: string }[]
}) {
  const { action, person, since, until } = values
  return (
    <Form
      key={Object.values(values).join(' ')}
      action={path}
      role="search"
      className="mb-4 grid grid-cols-2 items-end gap-3 lg:grid-cols-[1fr_1fr_auto_auto_auto]"
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
      <SelectField label="User" name="person" defaultValue={person}>
        <option value="">Everyone</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {person && !people.some(({ id }) => id === person) && <option value={person}>Another user</option>}
      </SelectField>
      <TextField label="From" name="since" type="date" defaultValue={since} className={wholeRow} />
      <TextField label="To" name="until" type="date" defaultValue={until} className={wholeRow} />
      <Button type="submit" className="max-lg:col-span-full">
        Filter
      </Button>
    </Form>
  )
}
