import type { ComponentProps } from 'react'
import { Select } from '../ui/input'

export const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/** A select of the three roles; give it a label. */
export function RoleSelect(props: ComponentProps<typeof Select>) {
  return (
    <Select name="role" {...props}>
      {Object.entries(roleNames).map(([role, name]) => (
        <option key={role} value={role}>
          {name}
        </option>
      ))}
    </Select>
  )
}
