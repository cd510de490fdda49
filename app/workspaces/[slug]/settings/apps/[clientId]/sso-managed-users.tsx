import { ManagedAccess } from '@/components/sso/managed-access'
import { addressOf, numberedPageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import type { InstalledApp } from '@/lib/features/app-access/list-installed'
import { listManagedUsers } from '@/lib/features/sso/managed-users'
import type { Actor } from '@/lib/policy/actor'

/** The names of this list's URL parameters. The other list on the page uses the default names. */
const names = { search: '', page: 'sso' }

/** Lists the users of an SSO-managed app. Renders nothing for other apps. */
export async function SsoManagedUsers({
  actor,
  workspaceId,
  app: { id, managed, admission },
  home,
  query,
}: {
  actor: Actor
  workspaceId: string
  app: InstalledApp
  /** The path of the workspace's home page. */
  home: string
  query: SearchParams
}) {
  if (!managed) return null
  const page = await listManagedUsers(actor, workspaceId, id, numberedPageOf(query, undefined, names))
  const { rows, number, size, total } = page
  const path = `${home}/settings/apps/${encodeURIComponent(id)}`
  const href = (to: number) => addressOf(path, { [names.page]: to > 1 ? String(to) : undefined })
  return (
    <ManagedAccess
      managed={managed}
      admission={admission}
      changeHref={`${home}/settings/sso`}
      users={rows}
      pages={{
        previous: number > 1 ? href(number - 1) : undefined,
        next: number * size < total ? href(number + 1) : undefined,
      }}
    />
  )
}
