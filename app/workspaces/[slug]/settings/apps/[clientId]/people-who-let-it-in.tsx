import { AppPeopleTable } from '@/components/app-access/people-table'
import { Section } from '@/components/ui/card'
import { Pagination } from '@/components/ui/pagination'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { listAppPeople } from '@/lib/features/app-access/list-app-people'
import type { Actor } from '@/lib/policy/actor'

/** Reads who let an app in themselves; nothing where nobody did. */
export async function PeopleWhoLetItIn({
  actor,
  workspaceId,
  clientId,
  path,
  query,
}: {
  actor: Actor
  workspaceId: string
  clientId: string
  /** The page's own address. */
  path: string
  query: SearchParams
}) {
  const { rows, ...sides } = await listAppPeople(actor, workspaceId, clientId, pageOf(query))
  const hrefs = pageHrefs(path, {}, rows, sides)
  return (
    <>
      {rows.length > 0 && (
        <Section title="People" description="Who let it in, and what it can do and reach here." flush>
          <AppPeopleTable people={rows} />
        </Section>
      )}
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of people" />}
    </>
  )
}
