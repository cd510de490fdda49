import Link from 'next/link'
import { Avatar } from '../ui/avatar'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { PersonBadges } from './person-facts'

export type ListedPerson = {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  emailVerifiedAt: Date | null
  suspendedAt: Date | null
  instanceAdmin: boolean
  createdAt: Date
}

/** Lists all users. */
export function PeopleTable({ people }: { people: ListedPerson[] }) {
  return (
    <Table
      caption="People"
      head={
        <>
          <Head>User</Head>
          <Head>State</Head>
          <Head numeric>Signed up</Head>
        </>
      }
    >
      {people.map((person) => (
        <Row key={person.id}>
          <Cell>
            <div className="flex items-center gap-3">
              <Avatar name={person.name} id={person.id} src={person.avatarUrl} />
              <div className="grid min-w-0">
                <Link href={`/admin/people/${person.id}`} className="font-medium hover:underline">
                  {person.name}
                </Link>
                <span className="text-[13px] text-muted">{person.email}</span>
              </div>
            </div>
          </Cell>
          <Cell className="max-sm:col-span-full">
            <span className="flex flex-wrap gap-1.5">
              <PersonBadges person={person} />
              {person.emailVerifiedAt && !person.suspendedAt && !person.instanceAdmin && (
                <span className="text-muted">Active</span>
              )}
            </span>
          </Cell>
          <Cell numeric muted>
            <Time at={person.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
