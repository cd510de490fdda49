import Form from 'next/form'
import { Button } from '../ui/button'
import { SelectField } from '../ui/field'

/** What is recorded of a workspace, by the noun of its actions. */
const kinds = {
  api_token: 'API tokens',
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

/** Narrows an audit log by action and person, in the page's address, so that it can be shared and works without a script. */
export function EventFilter({
  path,
  action,
  person,
  people,
}: {
  path: string
  /** A kind such as `project`, or a whole action such as `project.created`; empty for all. */
  action: string
  /** The id of a person; empty for all. */
  person: string
  people: { id: string; name: string }[]
}) {
  return (
    <Form
      key={`${action} ${person}`}
      action={path}
      role="search"
      className="mb-4 grid grid-cols-2 items-end gap-3 sm:grid-cols-[1fr_1fr_auto]"
    >
      <SelectField label="Action" name="action" defaultValue={action}>
        <option value="">All actions</option>
        {Object.entries(kinds).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
        {action && !Object.hasOwn(kinds, action) && <option value={action}>{action}</option>}
      </SelectField>
      <SelectField label="Person" name="person" defaultValue={person}>
        <option value="">Everyone</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {person && !people.some(({ id }) => id === person) && <option value={person}>Somebody else</option>}
      </SelectField>
      <Button type="submit" className="max-sm:col-span-full">
        Filter
      </Button>
    </Form>
  )
}
