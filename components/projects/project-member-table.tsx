import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/action-button'
import type { ListedMember } from '../members/member-table'
import { RoleForm } from '../members/role-form'
import { roleNames } from '../members/role-select'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'

/**
 * Lists the users with a role in the project itself. Admins can change the roles and remove users. Every
 * member can leave.
 */
export function ProjectMemberTable({
  projectId,
  members,
  you,
  editable,
  actions,
}: {
  projectId: string
  members: ListedMember[]
  /** The ID of the user who views the list. */
  you: string
  editable: boolean
  actions: { setRole: FormAction; remove: FormAction }
}) {
  return (
    <Table
      caption="People in this project"
      head={
        <>
          <Head>User</Head>
          <Head>Role</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {members.map(({ id, name, email, avatarUrl, role }) => {
        const fields = { projectId, userId: id }
        const own = id === you
        return (
          <Row key={id}>
            <Cell>
              <div className="flex items-center gap-3">
                <Avatar name={name} id={id} src={avatarUrl} />
                <div className="grid min-w-0">
                  <span className="flex items-center gap-2 font-medium">
                    {name} {own && <Badge>You</Badge>}
                  </span>
                  <span className="text-[13px] text-muted">{email}</span>
                </div>
              </div>
            </Cell>
            <Cell className="max-sm:col-span-full">
              {editable ? (
                <RoleForm
                  name={name}
                  role={role}
                  adminHint="Admins can do everything in this project, including managing its members and tokens."
                  fields={fields}
                  action={actions.setRole}
                />
              ) : (
                roleNames[role]
              )}
            </Cell>
            <Cell numeric>
              {(editable || own) && (
                <ConfirmAction
                  trigger={own ? 'Leave' : 'Remove'}
                  triggerLook={{ size: 'small' }}
                  triggerLabel={own ? 'Leave this project' : `Remove ${name}`}
                  title={own ? 'Leave this project?' : `Remove ${name}?`}
                  confirmLabel={own ? 'Leave project' : 'Remove from project'}
                  done={own ? 'You left the project' : 'Removed from the project'}
                  action={actions.remove}
                  fields={fields}
                >
                  <p>The project role will be removed immediately. Any workspace role stays the same.</p>
                </ConfirmAction>
              )}
            </Cell>
          </Row>
        )
      })}
    </Table>
  )
}
