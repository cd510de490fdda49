import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { Role } from '@/lib/policy/scopes'
import { ConfirmAction } from '../forms/action-button'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { RoleForm } from './role-form'
import { roleNames } from './role-select'

export type ListedMember = {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  role: Role
  createdAt: Date
}

/** The actions of a workspace admin on members. */
export type ManageMembers = { workspaceId: string; changeRole: FormAction; remove: FormAction }

/** Lists the users with a role in a workspace or project. `you` is the ID of the reader, `manage` the reader's actions. */
export function MemberTable({
  caption,
  members,
  you,
  manage,
}: {
  caption: string
  members: ListedMember[]
  you: string
  manage?: ManageMembers | undefined
}) {
  return (
    <Table
      caption={caption}
      head={
        <>
          <Head>User</Head>
          <Head>Role</Head>
          <Head numeric>Joined</Head>
          {manage && <Head srOnly>Actions</Head>}
        </>
      }
    >
      {members.map(({ id, name, email, avatarUrl, role, createdAt }) => (
        <Row key={id}>
          <Cell>
            <div className="flex items-center gap-3">
              <Avatar name={name} id={id} src={avatarUrl} />
              <div className="grid min-w-0">
                <span className="flex items-center gap-2 font-medium">
                  {name} {id === you && <Badge>You</Badge>}
                </span>
                <span className="text-[13px] text-muted">{email}</span>
              </div>
            </div>
          </Cell>
          <Cell className="max-sm:col-span-full">
            {manage ? (
              <RoleForm
                name={name}
                role={role}
                fields={{ workspaceId: manage.workspaceId, userId: id }}
                action={manage.changeRole}
              />
            ) : (
              roleNames[role]
            )}
          </Cell>
          <Cell numeric muted>
            <Time at={createdAt} />
          </Cell>
          {manage && (
            <Cell numeric>
              {id !== you && (
                <ConfirmAction
                  trigger="Remove"
                  triggerLook={{ size: 'small' }}
                  triggerLabel={`Remove ${name}`}
                  title={`Remove ${name}?`}
                  confirmLabel="Remove member"
                  done="Member removed"
                  action={manage.remove}
                  fields={{ workspaceId: manage.workspaceId, userId: id }}
                >
                  <p>
                    {name} loses access to the workspace immediately, along with their tokens and apps. Roles
                    in individual projects stay.
                  </p>
                </ConfirmAction>
              )}
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  )
}
