import { FilterChip } from '../lists/filters'
import { ListSearch } from '../lists/list-search'
import { AppLogo } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Copyable } from '../ui/copyable'
import { Link } from '../ui/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type OperatedApp = {
  id: string
  name: string
  source: 'SETTINGS' | 'DYNAMIC' | 'METADATA_DOCUMENT'
  type: 'WEB' | 'NATIVE'
  logoUrl: string | null
  logoDarkUrl: string | null
  verifiedAt: Date | null
  disabledAt: Date | null
  awaitingApproval: boolean
  createdAt: Date
  workspace: { id: string; name: string } | null
  users: number
}

const origins = {
  SETTINGS: 'Workspace',
  DYNAMIC: 'Self-registered',
  METADATA_DOCUMENT: 'Metadata document',
}

/**
 * Lists OAuth apps, including self-registered apps, each with a link to the app's page. On that page,
 * instance admins see the app's details and make decisions about the app.
 */
export function OperatedAppTable({ apps }: { apps: OperatedApp[] }) {
  return (
    <Table
      caption="OAuth apps"
      head={
        <>
          <Head>App</Head>
          <Head>Source</Head>
          <Head numeric>People</Head>
          <Head numeric>Created</Head>
        </>
      }
    >
      {apps.map((app) => (
        <Row key={app.id}>
          <Cell>
            <div className="flex items-center gap-3">
              <AppLogo app={app} />
              <div className="grid min-w-0">
                <span className="flex flex-wrap items-center gap-1.5 font-medium">
                  <Link href={`/admin/apps/${encodeURIComponent(app.id)}`} className="hover:underline">
                    {app.name}
                  </Link>
                  {app.awaitingApproval && <Badge tone="warning">Needs approval</Badge>}
                  {app.disabledAt && <Badge tone="danger">Disabled</Badge>}
                  {app.verifiedAt && <Badge tone="success">Verified</Badge>}
                </span>
                <Copyable value={app.id} of={`client ID of ${app.name}`} mono className="text-muted" />
              </div>
            </div>
          </Cell>
          <Cell>
            {app.workspace ? (
              <Link href={`/admin/workspaces/${app.workspace.id}`} className="hover:underline">
                {app.workspace.name}
              </Link>
            ) : (
              origins[app.source]
            )}
          </Cell>
          <Cell numeric>{app.users}</Cell>
          <Cell numeric muted>
            <Time at={app.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

/**
 * The maximum length of a search text. It is long, because a client ID can be the URL of a metadata document.
 */
export const longestSearch = 200

const states = { waiting: 'Needs approval', verified: 'Verified', disabled: 'Disabled' }

/** The search field and the filters of the list of all OAuth apps. */
export function AppFilter({
  path,
  search,
  source,
  state,
}: {
  path: string
  search: string
  source: OperatedApp['source'] | undefined
  state: keyof typeof states | undefined
}) {
  const kept = { search, source: source ?? '', state: state ?? '' }
  const { search: _, ...filters } = kept
  return (
    <div className="mb-4 flex flex-wrap items-end gap-2">
      <ListSearch
        path={path}
        label="Search apps"
        placeholder="Name or client ID"
        value={search}
        kept={filters}
        maxLength={longestSearch}
      />
      <FilterChip path={path} name="source" label="Source" choices={origins} value={source} kept={kept} />
      <FilterChip path={path} name="state" label="Status" choices={states} value={state} kept={kept} />
    </div>
  )
}
