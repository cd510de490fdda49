import type { ComponentProps } from 'react'
import { Select } from '../ui/input'

/** The display names of the roles, highest first. */
export const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' } as const

/** Descriptions of the permissions of each role in a workspace. */
export const roleHints = {
  ADMIN: 'Can do everything, including managing members, apps, tokens, and settings.',
  MEMBER: 'Can create and change projects, but can’t manage members or settings.',
  VIEWER: 'Can read projects, but can’t see the values of variables.',
} as const

/** A description of the permissions of each role in a project. */
export const projectRoleHint =
  'Viewers can read, but can’t see the values of variables. Members can make changes. Admins also manage members and tokens.'

/** The `<option>`s for a select that contains all roles. */
export function RoleOptions() {
  return Object.entries(roleNames).map(([role, name]) => (
    <option key={role} value={role}>
      {name}
    </option>
  ))
}

/** A select with the three roles. The caller must label it. */
export function RoleSelect(props: ComponentProps<typeof Select>) {
  return (
    <Select name="role" {...props}>
      <RoleOptions />
    </Select>
  )
}
