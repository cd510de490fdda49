import Link from 'next/link'
import { FilterForm } from '../forms/filter-form'
import { AppLogo } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Copyable } from '../ui/copyable'
import { SelectField, TextField } from '../ui/field'
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

/** Lists OAuth apps of every origin. The instance admin decides about an app on its page, which shows all details. */
export function OperatedAppTable({ apps }: { apps: OperatedApp[] }) {
  return (
    <Table
      caption="OAuth apps"
      head={
        <>
          <Head>App</Head>
          <Head>From</Head>
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
                  {app.awaitingApproval && <Badge tone="warning">Waiting</Badge>}
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

/** A client ID can be the URL of a metadata document. */
export const longestSearch = 200

/** Filters the list of all OAuth apps through the URL. */
export function AppFilter({
  path,
  search,
  source,
  state,
}: {
  path: string
  search: string
  source: string | undefined
  state: string | undefined
}) {
  return (
    <FilterForm key={`${search} ${source} ${state}`} path={path} className="sm:grid-cols-[2fr_1fr_1fr_auto]">
      <TextField
        label="Search apps"
        name="search"
        type="search"
        defaultValue={search}
        maxLength={longestSearch}
        placeholder="Name or client ID"
      />
      <SelectField label="Origin" name="source" defaultValue={source ?? ''}>
        <option value="">Every origin</option>
        <option value="SETTINGS">Workspace settings</option>
        <option value="DYNAMIC">Self-registered</option>
        <option value="METADATA_DOCUMENT">Metadata document</option>
      </SelectField>
      <SelectField label="State" name="state" defaultValue={state ?? ''}>
        <option value="">Every state</option>
        <option value="waiting">Only waiting</option>
        <option value="verified">Only verified</option>
        <option value="disabled">Only disabled</option>
      </SelectField>
    </FilterForm>
  )
}
