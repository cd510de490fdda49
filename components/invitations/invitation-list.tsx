import { Mail } from 'lucide-react'
import type { NumberedRows } from '@/lib/base/db/numbered-page'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ListFrame } from '../lists/list-frame'
import { InvitationTable, type ListedInvitation } from './invitation-table'

/** How the address of a page with people says what of its invitations is shown. */
export const invitationNames = { search: 'invited', page: 'invitations' }

/** Who was invited and has not come yet; nothing where that is nobody. It stands on a page that lists people as well. */
export function InvitationList({
  path,
  page,
  search,
  projectsHref,
  revoke,
}: {
  path: string
  page: NumberedRows<ListedInvitation>
  search: string
  /** The address under which the projects lie; left out where all are to one place. */
  projectsHref?: string | undefined
  revoke: FormAction
}) {
  if (page.total === 0 && search === '') return null
  return (
    <section aria-labelledby="invitations" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-0.5">
        <h2 id="invitations" className="font-semibold text-[15px] leading-[22px] tracking-[-0.008em]">
          Invitations
        </h2>
        <p className="text-[13px] text-muted leading-5">Waiting for a reply</p>
      </div>
      <ListFrame
        path={path}
        names={invitationNames}
        noun={['invitation', 'invitations']}
        page={page}
        search={search}
        empty={{ icon: Mail, title: 'No invitations', text: 'Everyone has replied.' }}
      >
        <InvitationTable invitations={page.rows} projectsHref={projectsHref} revoke={revoke} />
      </ListFrame>
    </section>
  )
}
