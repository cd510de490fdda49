'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Role } from '@/lib/policy/scopes'
import { reasonIn, useAnnouncedAction } from '../forms/action-button'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { Radio } from '../ui/choice'
import { DialogBox } from '../ui/confirm-dialog'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import type { ListedMember, ManageMembers } from './member-table'
import { roleHints, roleNames } from './role-select'

/** A change to confirm: a role for some members, or their removal. */
export type Asked = {
  kind: 'role' | 'remove'
  /** The selected role. Undefined for a removal, and if the user selects the role in the dialog. */
  role?: Role
  members: readonly ListedMember[]
}

type Managed = Pick<ManageMembers, 'workspaceId' | 'workspaceName' | 'change' | 'remove'>

/** Returns the name of a single member, or else the number of members: "Ada Lovelace", "3 members". */
const memberNames = (members: readonly { name: string }[]): string =>
  members.length === 1 ? (members[0]?.name ?? '') : `${members.length} members`

/**
 * A dialog to change the role of one or several members, or to remove them. Renders nothing if `asked` is
 * undefined.
 */
export function MemberDialog({
  asked,
  manage,
  onClose,
  onDone,
}: {
  asked: Asked | undefined
  manage: Managed
  onClose: () => void
  onDone: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (asked) dialog.current?.showModal()
  }, [asked])
  if (!asked) return null
  const { kind, members } = asked
  const title =
    kind === 'role'
      ? asked.role
        ? `Make ${memberNames(members)} ${articles[asked.role]}?`
        : `Change the role of ${memberNames(members)}`
      : `Remove ${memberNames(members)}?`
  const parts = { manage, members, onCancel: () => dialog.current?.close() }
  const done = () => {
    dialog.current?.close()
    onDone()
  }
  return (
    <DialogBox dialog={dialog} title={title} onClose={onClose}>
      {kind === 'role' ? (
        <RoleChange {...parts} role={asked.role} onDone={done} />
      ) : (
        <Removal {...parts} onDone={done} />
      )}
    </DialogBox>
  )
}

const subjects = { ADMIN: 'Admins', MEMBER: 'Members', VIEWER: 'Viewers' } as const

const articles = { ADMIN: 'an admin', MEMBER: 'a member', VIEWER: 'a viewer' } as const

type ChangedMember = { id: string; name: string; role: Role }

type PartProps = {
  manage: Managed
  members: readonly ChangedMember[]
  onDone?: () => void
  /** Closes the dialog; absent on a page. */
  onCancel?: () => void
  /** The path of the page to open after the change; undefined in a dialog. */
  back?: string
}

const fieldsOf = ({ manage, members, back }: PartProps) => ({
  ...(back ? { back } : {}),
  workspaceId: manage.workspaceId,
  userIds: members.map(({ id }) => id).join('\n'),
})

/** A form to change the role of members to `role` or, without it, to a role that the user selects. */
export function RoleChange({ role, onDone, onCancel, ...part }: PartProps & { role?: Role | undefined }) {
  const { members, manage } = part
  const [state, submit] = useAnnouncedAction(manage.change, {
    done:
      members.length === 1
        ? `Role of ${memberNames(members)} changed`
        : `Roles of ${memberNames(members)} changed`,
    ...(onDone ? { whenDone: onDone } : {}),
  })
  const refused = reasonIn(state)
  const only = members.length === 1 ? members[0]?.role : undefined
  return (
    <form action={submit} className="grid gap-4">
      <HiddenFields fields={fieldsOf(part)} />
      {refused && <Alert tone="danger" title={refused} />}
      {role ? (
        <>
          <input type="hidden" name="role" value={role} />
          <p className="text-muted">
            {subjects[role]} {roleHints[role].replace(/^Can/, 'can')} This applies to {manage.workspaceName}{' '}
            and all its projects.
          </p>
        </>
      ) : (
        <fieldset className="grid gap-3">
          <legend className="sr-only">Role</legend>
          {(Object.entries(roleNames) as [Role, string][]).map(([value, label]) => (
            <Radio
              key={value}
              label={label}
              hint={roleHints[value]}
              name="role"
              value={value}
              required
              defaultChecked={value === only}
            />
          ))}
        </fieldset>
      )}
      <Buttons onCancel={onCancel}>
        <SubmitButton>{role ? `Make ${roleNames[role].toLowerCase()}` : 'Change role'}</SubmitButton>
      </Buttons>
    </form>
  )
}

/** A form to remove members from the workspace. */
export function Removal({ onDone, onCancel, ...part }: PartProps) {
  const { members, manage } = part
  const one = members.length === 1
  const [state, submit] = useAnnouncedAction(manage.remove, {
    done: one ? 'Member removed' : `${memberNames(members)} removed`,
    ...(onDone ? { whenDone: onDone } : {}),
  })
  const refused = reasonIn(state)
  return (
    <form action={submit} className="grid gap-4">
      <HiddenFields fields={fieldsOf(part)} />
      {refused && <Alert tone="danger" title={refused} />}
      <p className="text-muted">
        {one ? memberNames(members) : 'They'} {one ? 'loses' : 'lose'} access to {manage.workspaceName}{' '}
        immediately, along with their tokens and the apps they authorized. Roles in individual projects are
        kept.
      </p>
      <Buttons onCancel={onCancel}>
        <SubmitButton variant="danger">
          {one ? 'Remove member' : `Remove ${members.length} members`}
        </SubmitButton>
      </Buttons>
    </form>
  )
}

function Buttons({ onCancel, children }: { onCancel: (() => void) | undefined; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      {children}
    </div>
  )
}
