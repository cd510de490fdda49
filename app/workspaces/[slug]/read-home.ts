import { workspaceProblems } from '@/components/overview/attention'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { listRequests } from '@/lib/features/app-access/requests'
import { listEvents } from '@/lib/features/audit/list-events'
import { nameEvents } from '@/lib/features/audit/name-events'
import { isDemoWorkspace } from '@/lib/features/demo/remove-demo'
import { searchProjects } from '@/lib/features/projects/search-projects'
import { type ExpiringToken, readOverview } from '@/lib/features/workspaces/read-overview'
import type { openWorkspace } from '../open-workspace'

/** How many projects, events and requests the page shows. */
const shown = { projects: 6, events: 8, requests: 3 }

/** What a workspace's home page shows the user, who may not see all of it. A bounded number of statements. */
export async function readHome({
  actor,
  workspace,
  home,
  may,
}: Pick<Awaited<ReturnType<typeof openWorkspace>>, 'actor' | 'workspace' | 'home' | 'may'>) {
  const { id } = workspace
  const apps = may('workspace:manage-apps')
  const page = { limit: shown.events, backward: false, after: null, before: null }
  const [overview, projects, events, requests, isDemo] = await Promise.all([
    readOverview(actor, id, { apps, tokens: may('workspace:manage-tokens') }),
    searchProjects(actor, id, '', { number: 1, size: shown.projects }),
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
  }
  const attention = workspaceProblems({ ...overview, asked: requests }, places)
  return {
    ...overview,
    isDemo,
    projects,
    events,
    attention,
    places,
    expiring: overview.expiring.rows.map(listedToken),
  }
}

const listedToken = ({ project, ...token }: ExpiringToken) => ({
  ...token,
  display: displayToken({ ...token, environmentId: null }),
  reach: project ? `Project ${project}` : 'Workspace',
})
