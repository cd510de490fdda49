import { resourceOf } from '@/lib/policy/scopes'
import { LastUsed } from '../ui/expiry'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { accessOf } from './installed-apps'

type User = {
  id: string
  name: string
  scopes: string[]
  whole: boolean
  projects: { id: string; name: string }[]
  since: Date
  lastUsedAt: Date | null
}

/**
 * Lists the users who authorized an app. For each user, shows the access and its scopes, the selected
 * resources in the workspace, and the dates of the authorization and the last use.
 */
export function AppUsersTable({ users }: { users: User[] }) {
  return (
    <Table
      caption="People"
      head={
        <>
          <Head>User</Head>
          <Head>Access</Head>
          <Head>Resources</Head>
          <Head>Since</Head>
          <Head>Last used</Head>
        </>
      }
    >
      {users.map(({ id, name, scopes, whole, projects, since, lastUsedAt }) => (
        <Row key={id}>
          <Cell className="wrap-anywhere font-medium">{name}</Cell>
          <Cell className="max-sm:col-span-full">
            {accessOf(scopes, { whole, projects })}
            <span className="block font-mono text-[13px] text-muted empty:hidden">
              {scopes.filter(resourceOf).join(', ')}
            </span>
          </Cell>
          <Cell className="wrap-anywhere">
            {[whole ? 'The workspace' : undefined, ...projects.map((each) => each.name)]
              .filter(Boolean)
              .join(', ')}
          </Cell>
          <Cell muted>
            <Time at={since} />
          </Cell>
          <Cell muted>
            <LastUsed at={lastUsedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
