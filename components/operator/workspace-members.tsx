import Link from 'next/link'
import type { Role } from '@/lib/policy/scopes'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Pagination } from '../ui/pagination'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type OperatedMember = {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  suspendedAt: Date | null
  role: Role
  joinedAt: Date
}

const roleNames = { ADMIN: 'Admin', MEMBER: 'Member', VIEWER: 'Viewer' }

/** Who is in a workspace, each with the way to the person. */
export function WorkspaceMembers({
  members,
  pages,
}: {
  members: OperatedMember[]
  pages: { previous: string | undefined; next: string | undefined }
}) {
  return (
    <Section
      title="Members"
      flush
      footer={(pages.previous || pages.next) && <Pagination {...pages} label="Pages of members" />}
    >
      {members.length === 0 && <p className="px-4 py-4 text-muted">No members.</p>}
      {members.length > 0 && (
        <Table
          caption="Members"
          head={
            <>
              <Head>Person</Head>
              <Head>Role</Head>
              <Head numeric>Joined</Head>
            </>
          }
        >
          {members.map(({ id, name, email, avatarUrl, suspendedAt, role, joinedAt }) => (
            <Row key={id}>
              <Cell>
                <div className="flex items-center gap-3">
                  <Avatar name={name} id={id} src={avatarUrl} />
                  <div className="grid min-w-0">
                    <span className="flex flex-wrap items-center gap-1.5">
                      <Link href={`/operator/people/${id}`} className="font-medium hover:underline">
                        {name}
                      </Link>
                      {suspendedAt && <Badge tone="danger">Suspended</Badge>}
                    </span>
                    <span className="text-[13px] text-muted">{email}</span>
                  </div>
                </div>
              </Cell>
              <Cell>{roleNames[role]}</Cell>
              <Cell numeric muted>
                <Time at={joinedAt} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  )
}
