import { type ExpiringPlaces, placeOfExpiring, workspaceProblems } from '@/components/overview/attention'
import { recentPlaces } from '@/lib/edges/web/console/preferences'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { listRequests } from '@/lib/features/app-access/requests'
import { listEvents } from '@/lib/features/audit/list-events'
import { nameEvents } from '@/lib/features/audit/name-events'
import { isDemoWorkspace } from '@/lib/features/demo/remove-demo'
import { listRecent } from '@/lib/features/workspaces/list-places'
import { type ExpiringItem, readOverview } from '@/lib/features/workspaces/read-overview'
import type { openWorkspace } from '../open-workspace'

/** The maximum numbers of projects, apps, events, and requests that the page lists. */
const shown = { projects: 6, apps: 4, events: 6, requests: 3 }

/**
 * Returns the content of a workspace's home page, without the parts that the user cannot see. The number of
 * SQL statements does not grow with the size of the workspace.
 */
export async function readHome({
  actor,
  workspace,
  home,
  may,
}: Pick<Awaited<ReturnType<typeof openWorkspace>>, 'actor' | 'workspace' | 'home' | 'may'>) {
  const { id } = workspace
  const apps = may('workspace:manage-apps')
  const page = { limit: shown.events, backward: false, after: null, before: null }
  const [overview, recent, events, requests, isDemo] = await Promise.all([
    readOverview(actor, id, {
      apps,
      tokens: may('workspace:manage-tokens'),
      members: may('workspace:manage-members'),
    }),
    listRecent(actor, id, await recentPlaces(), shown),
    may('workspace:read-audit') ? listEvents(actor, id, {}, page).then(({ rows }) => nameEvents(rows)) : [],
    may('workspace:decide-apps')
      ? listRequests(actor, id, { ...page, limit: shown.requests }).then(
          async ({ rows, hasNextPage, count }) => ({
            rows,
            total: hasNextPage ? await count() : rows.length,
          }),
        )
      : { rows: [], total: 0 },
    isDemoWorkspace(id),
  ])
  const settings = `${home}/settings`
  const places = {
    developer: `${settings}/developer`,
    apps: `${settings}/apps`,
    tokens: may('workspace:manage-tokens') ? `${settings}/tokens` : '/account/tokens',
    invitations: `${home}/members/invitations`,
  }
  const attention = workspaceProblems({ ...overview, asked: requests }, places)
  return {
    ...overview,
    isDemo,
    recent,
    events,
    attention,
    places,
    expiring: overview.expiring.rows.map(listedItem(places)),
  }
}

const kinds = {
  ACCOUNT: 'Account token',
  WORKSPACE: 'Workspace token',
  PROJECT: 'Project token',
  SECRET: 'Client secret',
  INVITATION: 'Invitation',
}

const listedItem = (places: ExpiringPlaces) => (item: ExpiringItem) => {
  const { kind, lastFour } = item
  const token = kind !== 'SECRET' && kind !== 'INVITATION' && { kind, lastFour: lastFour ?? '' }
  return {
    ...item,
    kind: kinds[kind],
    usable: kind !== 'INVITATION',
    display: token ? displayToken({ ...token, environmentId: null }) : lastFour && `…${lastFour}`,
    href: placeOfExpiring(item, places),
  }
}
