import type { NumberedRows } from '@/lib/base/db/paging'
import type { ListNames } from '@/lib/edges/web/console/list-page'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { Role } from '@/lib/policy/scopes'
import { ConfirmAction } from '../forms/action-button'
import { ListFrame } from '../lists/list-frame'
import { roleNames } from '../members/role-select'
import { Badge } from '../ui/badge'
import { Mail } from '../ui/icon'
import { TextLink } from '../ui/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

/** The names of the invitations' URL parameters on a page that also lists users. */
export const invitationNames = { search: 'invited', page: 'invitations' }

/**
 * Lists the open invitations to a project below the project's users. Renders nothing if there are none,
 * unless the user searched for invitations.
 */
export function InvitationSection(list: Omit<Parameters<typeof InvitationList>[0], 'names'>) {
  if (list.page.total === 0 && list.search === '') return null
  return (
    <section aria-labelledby="invitations" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-0.5">
        <h2 id="invitations" className="font-semibold text-[15px] leading-[22px] tracking-[-0.008em]">
          Invitations
        </h2>
        <p className="text-[13px] text-muted leading-5">Waiting for a reply</p>
      </div>
      <InvitationList {...list} names={invitationNames} />
    </section>
  )
}

/**
 * Lists one page of the open invitations, with a search field and links to other pages. Expired invitations
 * are included.
 */
export function InvitationList({
  path,
  page,
  search,
  names,
  projectsHref,
  revoke,
}: {
  path: string
  page: NumberedRows<ListedInvitation>
  search: string
  /** The names of this list's URL parameters, if another list on the page uses the default names. */
  names?: ListNames
  /** The URL prefix of project pages; absent if all invitations are for the same project. */
  projectsHref?: string | undefined
  revoke: FormAction
}) {
  return (
    <ListFrame
      path={path}
      {...(names ? { names } : {})}
      noun={['invitation', 'invitations']}
      page={page}
      search={search}
      empty={{
        icon: Mail,
        title: 'No invitations',
        text: 'Invitations that you send appear here until they’re accepted.',
      }}
    >
      <InvitationTable invitations={page.rows} projectsHref={projectsHref} revoke={revoke} />
    </ListFrame>
  )
}

export type ListedInvitation = {
  id: string
  email: string
  role: Role
  createdAt: Date
  expiresAt: Date
  /** The ID of the project; null for an invitation to the workspace. */
  projectId: string | null
  /** The name of the project; null for an invitation to the workspace. */
  project: string | null
}

/**
 * Lists the open invitations, each with a button to revoke it. If `projectsHref` is set, a column shows
 * whether an invitation is to the workspace or to a project.
 */
function InvitationTable({
  invitations,
  projectsHref,
  revoke,
}: {
  invitations: ListedInvitation[]
  /** The URL prefix of project pages; absent if all invitations are for the same project. */
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
          {projectsHref && <Head>Access</Head>}
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
              <Time at={expiresAt} capital />
            )}
          </Cell>
          <Cell numeric>
            <ConfirmAction
              trigger="Revoke"
              triggerLook={{ size: 'small' }}
              triggerLabel={`Revoke the invitation for ${email}`}
              title={`Revoke the invitation for ${email}?`}
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
