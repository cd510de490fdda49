import Link from 'next/link'
import { AppLogo } from '../ui/app-logo'
import { Badge } from '../ui/badge'
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
  people: number
}

const origins = {
  SETTINGS: 'Workspace',
  DYNAMIC: 'Registered itself',
  METADATA_DOCUMENT: 'Metadata document',
}

/** OAuth apps of every origin. What the operator decides about one is decided on its page, where all that is known of it stands. */
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
                  <Link href={`/operator/apps/${encodeURIComponent(app.id)}`} className="hover:underline">
                    {app.name}
                  </Link>
                  {app.awaitingApproval && <Badge tone="warning">Waiting</Badge>}
                  {app.disabledAt && <Badge tone="danger">Disabled</Badge>}
                  {app.verifiedAt && <Badge tone="success">Verified</Badge>}
                </span>
                <span className="break-all font-mono text-[13px] text-muted">{app.id}</span>
              </div>
            </div>
          </Cell>
          <Cell>
            {app.workspace ? (
              <Link href={`/operator/workspaces/${app.workspace.id}`} className="hover:underline">
                {app.workspace.name}
              </Link>
            ) : (
              origins[app.source]
            )}
          </Cell>
          <Cell numeric>{app.people}</Cell>
          <Cell numeric muted>
            <Time at={app.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
