import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ListedMember = {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  role: 'ADMIN' | 'MEMBER' | 'VIEWER'
  createdAt: Date
}

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/** The people with a role in a workspace or project. `you` is the id of the reader. */
export function MemberTable({
  caption,
  members,
  you,
}: {
  caption: string
  members: ListedMember[]
  you: string
}) {
  return (
    <Table
      caption={caption}
      head={
        <>
          <Head>Person</Head>
          <Head>Role</Head>
          <Head numeric className="max-sm:hidden">
            Joined
          </Head>
        </>
      }
    >
      {members.map(({ id, name, email, avatarUrl, role, createdAt }) => (
        <Row key={id}>
          <Cell>
            <div className="flex items-center gap-3">
              <Avatar name={name} src={avatarUrl} />
              <div className="grid min-w-0">
                <span className="flex items-center gap-2 font-medium">
                  {name} {id === you && <Badge>You</Badge>}
                </span>
                <span className="text-[13px] text-muted">{email}</span>
              </div>
            </div>
          </Cell>
          <Cell>{roleNames[role]}</Cell>
          <Cell numeric muted className="max-sm:hidden">
            <Time at={createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
