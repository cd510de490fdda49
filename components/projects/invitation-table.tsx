import type { FormAction } from '@/lib/web/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { roleNames } from './role-options'

export type ListedInvitation = {
  id: string
  email: string
  role: 'ADMIN' | 'MEMBER' | 'VIEWER'
  expiresAt: Date
}

/** Invitations that nobody has accepted yet. */
export function InvitationTable({
  invitations,
  revoke,
}: {
  invitations: ListedInvitation[]
  revoke: FormAction
}) {
  return (
    <Table
      caption="Invitations"
      head={
        <>
          <Head>Email</Head>
          <Head>Role</Head>
          <Head>Expires</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {invitations.map(({ id, email, role, expiresAt }) => (
        <Row key={id}>
          <Cell>{email}</Cell>
          <Cell>{roleNames[role]}</Cell>
          <Cell muted>
            {expiresAt.getTime() < Date.now() ? (
              <Badge tone="danger">Expired</Badge>
            ) : (
              <Time at={expiresAt} />
            )}
          </Cell>
          <Cell numeric>
            <ConfirmAction
              trigger="Revoke"
              triggerLook={{ size: 'small' }}
              triggerLabel={`Revoke the invitation of ${email}`}
              title={`Revoke the invitation of ${email}?`}
              confirmLabel="Revoke invitation"
              action={revoke}
              fields={{ id }}
            >
              <p>Its link leads nowhere from then on.</p>
            </ConfirmAction>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
