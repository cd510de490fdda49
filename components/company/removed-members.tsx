import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Section } from '../ui/card'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

type ShownMember = { userId: string; name: string; email: string; removedAt: Date }

/** The users whom admins removed, who do not join again by SSO until they are allowed to or invited. */
export function RemovedMembers({
  workspaceId,
  members,
  allow,
}: {
  workspaceId: string
  members: ShownMember[]
  allow: FormAction
}) {
  if (members.length === 0) return null
  return (
    <Section
      title="Removed users"
      description="They don’t join again by signing in through the provider. Invite them, or allow it here."
      flush
    >
      <Table
        caption="Users whom an admin removed"
        head={
          <>
            <Head>User</Head>
            <Head>Removed</Head>
            <Head srOnly>Actions</Head>
          </>
        }
      >
        {members.map(({ userId, name, email, removedAt }) => (
          <Row key={userId}>
            <Cell>
              <span className="wrap-anywhere grid min-w-32 font-medium">
                <bdi>{name}</bdi>
                <bdi className="text-[13px] text-muted">{email}</bdi>
              </span>
            </Cell>
            <Cell muted>
              <Time at={removedAt} />
            </Cell>
            <Cell numeric>
              <ActionButton
                action={allow}
                fields={{ id: workspaceId, userId }}
                done="User allowed"
                look={{ size: 'small' }}
              >
                Allow <span className="sr-only">{name}</span>
              </ActionButton>
            </Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}
