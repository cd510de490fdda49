import { Avatar } from '../ui/avatar'
import { Copyable } from '../ui/copyable'
import { Link } from '../ui/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { UserBadges } from './user-facts'

export type ListedUser = {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  emailVerifiedAt: Date | null
  suspendedAt: Date | null
  instanceAdmin: boolean
  createdAt: Date
  /** The time of the last activity in a browser session; null if the user has no browser session. */
  lastActiveAt: Date | null
}

/** Lists users for instance admins, each with a link to the user's page. */
export function UsersTable({ users }: { users: ListedUser[] }) {
  return (
    <Table
      caption="People"
      head={
        <>
          <Head>User</Head>
          <Head>Status</Head>
          <Head>Last active</Head>
          <Head numeric>Signed up</Head>
        </>
      }
    >
      {users.map((user) => (
        <Row key={user.id}>
          <Cell>
            <div className="flex items-center gap-3">
              <Avatar name={user.name} id={user.id} src={user.avatarUrl} />
              <div className="grid min-w-0">
                <Link href={`/admin/people/${user.id}`} className="font-medium hover:underline">
                  {user.name}
                </Link>
                <Copyable value={user.email} of={`email of ${user.name}`} className="text-muted" />
              </div>
            </div>
          </Cell>
          <Cell className="max-sm:col-span-full">
            <span className="flex flex-wrap gap-1.5">
              <UserBadges user={user} />
              {user.emailVerifiedAt && !user.suspendedAt && !user.instanceAdmin && (
                <span className="text-muted">Active</span>
              )}
            </span>
          </Cell>
          <Cell muted className="max-sm:hidden">
            {user.lastActiveAt ? <Time at={user.lastActiveAt} /> : 'Not signed in'}
          </Cell>
          <Cell numeric muted>
            <Time at={user.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
