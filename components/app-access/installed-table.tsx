'use client'
import { AppLogo } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { LastUsed } from '../ui/expiry'
import { counted } from '../ui/formats'
import { Link } from '../ui/link'
import { Cell, Head, Row, Table } from '../ui/table'

export type ListedInstalled = {
  id: string
  name: string
  logoUrl: string | null
  logoDarkUrl: string | null
  runBy: string
  verified: boolean
  /** Whether the app has an installation, through which it acts without a user. */
  installed: boolean
  /** Whether the app is SSO-managed. */
  managed: boolean
  /** The users who authorized the app, "An admin", or "No one". */
  allowedBy: string
  /** The app's role as text, such as "Read and write". */
  may: string
  /**
   * The resources that the app can access, such as "The workspace" or "3 projects". Empty if there are none.
   */
  on: string
  lastUsedAt: Date | null
  /** The number of requests in the last 30 days. */
  requests: number
  state: { text: string; tone: 'neutral' | 'success' | 'warning' | 'danger' }
}

/**
 * Lists the apps of a workspace: apps that users authorized, that an admin installed or decided about, or
 * that are SSO-managed. This is a client component to keep the page small. For a client component, the server
 * sends the HTML of the rows and the data in `apps`. For a server component, the server would send the HTML
 * of the rows twice.
 */
export function InstalledTable({ apps, path }: { apps: ListedInstalled[]; path: string }) {
  return (
    <Table
      caption="Installed apps"
      head={
        <>
          <Head>App</Head>
          <Head>Status</Head>
          <Head>Access</Head>
          <Head>Allowed by</Head>
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
                  {app.managed && <Badge>SSO</Badge>}
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
          <Cell>
            <span className="wrap-anywhere block sm:min-w-38">{app.allowedBy}</span>
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
