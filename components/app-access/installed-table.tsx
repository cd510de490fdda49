import Link from 'next/link'
import { AppLogo } from '../ui/app-logo'
import { Badge } from '../ui/badge'
import { counted } from '../ui/counted'
import { LastUsed } from '../ui/last-used'
import { Cell, Head, Row, Table } from '../ui/table'
import { whom } from './policy-review'

export type ListedInstalled = {
  id: string
  name: string
  logoUrl: string | null
  logoDarkUrl: string | null
  runBy: string
  verified: boolean
  people: number
  /** It acts for the workspace by itself. */
  installed: boolean
  /** It acts for people by the word of the workspace's identity provider. */
  managed: boolean
  names: string[]
  /** What it may do, in few words, and on what. */
  may: string
  on: string
  lastUsedAt: Date | null
  /** In the last 30 days. */
  requests: number
  state: { text: string; tone: 'neutral' | 'success' | 'warning' | 'danger' }
}

/** Every app that anybody let in, and those that admins decided about. */
export function InstalledTable({ apps, path }: { apps: ListedInstalled[]; path: string }) {
  return (
    <Table
      caption="Installed apps"
      head={
        <>
          <Head>App</Head>
          <Head>State</Head>
          <Head>Access</Head>
          <Head>Let in by</Head>
          <Head>Last used</Head>
        </>
      }
    >
      {apps.map((app) => (
        <Row key={app.id}>
          <Cell>
            <div className="flex min-w-44 items-center gap-3">
              <AppLogo app={app} />
              <div className="grid min-w-0">
                <span className="flex flex-wrap items-center gap-1.5 font-medium">
                  <Link
                    href={`${path}/${encodeURIComponent(app.id)}`}
                    className="wrap-anywhere hover:underline"
                  >
                    {app.name}
                  </Link>
                  {app.verified && <Badge tone="success">Verified</Badge>}
                  {app.installed && <Badge>Installed</Badge>}
                  {app.managed && <Badge>Company</Badge>}
                </span>
                <span className="wrap-anywhere text-[13px] text-muted">{app.runBy}</span>
              </div>
            </div>
          </Cell>
          <Cell>
            <Badge tone={app.state.tone}>{app.state.text}</Badge>
          </Cell>
          <Cell>
            <span className="grid sm:min-w-28">
              <span>{app.may}</span>
              <span className="text-[13px] text-muted">{app.on}</span>
            </span>
          </Cell>
          <Cell className="wrap-anywhere">
            {app.people > 0
              ? whom(app.names, app.people)
              : app.installed || app.managed
                ? 'An admin'
                : 'Nobody'}
          </Cell>
          <Cell muted className="whitespace-nowrap">
            <span className="grid">
              <LastUsed at={app.lastUsedAt} />
              {app.requests > 0 && (
                <span className="text-[13px] tabular-nums">
                  {counted(app.requests, 'request', 'requests')} in 30 days
                </span>
              )}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
