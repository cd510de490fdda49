import { AppUsersTable } from '@/components/app-access/users-table'
import { Section } from '@/components/ui/card'
import { Pagination } from '@/components/ui/pagination'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { listAppUsers } from '@/lib/features/app-access/list-app-users'
import type { Actor } from '@/lib/policy/actor'

/**
 * Lists one page of the users who authorized an app themselves for the workspace or its projects. Renders
 * nothing if there are none.
 */
export async function AppUsers({
  actor,
  workspaceId,
  clientId,
  path,
  query,
}: {
  actor: Actor
  workspaceId: string
  clientId: string
  /** The path of the page. */
  path: string
  query: SearchParams
}) {
  const { rows, ...sides } = await listAppUsers(actor, workspaceId, clientId, pageOf(query))
  const hrefs = pageHrefs(path, {}, rows, sides)
  return (
    <>
      {rows.length > 0 && (
        <Section
          title="People"
          description="Users who authorized this app for the workspace or its projects."
          flush
        >
          <AppUsersTable users={rows} />
        </Section>
      )}
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of people" />}
    </>
  )
}
