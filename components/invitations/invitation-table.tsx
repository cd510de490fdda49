import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { Role } from '@/lib/policy/scopes'
import { ConfirmAction } from '../forms/confirm-action'
import { roleNames } from '../members/role-select'
import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'

export type ListedInvitation = {
  id: string
  email: string
  role: Role
  createdAt: Date
  expiresAt: Date
  /** The project it is to alone; nothing for the whole workspace. */
  projectId: string | null
  project: string | null
}

/** The invitations nobody has accepted yet, each revocable. `projectsHref` shows to what each is, beside the whole workspace. */
export function InvitationTable({
  invitations,
  projectsHref,
  revoke,
}: {
  invitations: ListedInvitation[]
  /** The address under which the projects lie; left out where all are to one place. */
  projectsHref?: string | undefined
  revoke: FormAction
}) {
  return (
    <Table
      caption="Invitations"
      head={
        <>
          <Head>Email</Head>
          <Head>Role</Head>
          {projectsHref && <Head>To</Head>}
          <Head>Sent</Head>
          <Head>Expires</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {invitations.map(({ id, email, role, createdAt, expiresAt, projectId, project }) => (
        <Row key={id}>
          <Cell className="break-words font-medium">{email}</Cell>
          <Cell>{roleNames[role]}</Cell>
          {projectsHref && (
            <Cell>
              {project ? (
                <TextLink href={`${projectsHref}/${projectId}/members`}>{project}</TextLink>
              ) : (
                'Workspace'
              )}
            </Cell>
          )}
          <Cell muted>
            <Time at={createdAt} />
          </Cell>
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
              done="Invitation revoked"
              action={revoke}
              fields={{ id }}
            >
              <p>The link stops working. You can invite them again.</p>
            </ConfirmAction>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
