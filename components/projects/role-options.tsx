/** What a role lets do in a project, for the choice between them. */
const roles = [
  { value: 'VIEWER', label: 'Viewer' },
  { value: 'MEMBER', label: 'Member' },
  { value: 'ADMIN', label: 'Admin' },
] as const

export const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' } as const

export const roleHint =
  'Viewers read, but see no values of variables. Members change things. Admins also manage people and tokens.'

/** The `<option>`s of a select of roles, the least first. */
export function RoleOptions() {
  return roles.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}
