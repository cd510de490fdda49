import type { Metadata } from 'next'
import { streamPageActions } from '@/app/audit-log/stream-page-actions'
import { openWorkspace } from '@/app/workspaces/open-workspace'
import { StreamSettings } from '@/components/audit-streams/stream-settings'
import { PageHeader } from '@/components/frame/page-header'
import { orNotFound } from '@/lib/edges/web/console/or-not-found'
import { readStream } from '@/lib/features/audit-streams/read-stream'

export const metadata: Metadata = { title: 'Audit stream' }

export default async function AuditStreamPage({ params }: { params: Promise<{ slug: string }> }) {
  const { actor, workspace, home } = await openWorkspace(
    (await params).slug,
    '/settings/audit-log/stream',
    'workspace:stream-audit',
  )
  const place = { workspaceId: workspace.id }
  const stream = await orNotFound(readStream(actor, place))
  const logHref = `${home}/settings/audit-log`
  return (
    <>
      <PageHeader title="Audit stream" trail={[{ label: 'Audit log', href: logHref }]} />
      <StreamSettings
        {...{ place, stream, logHref }}
        href={`${logHref}/stream`}
        actions={streamPageActions}
      />
    </>
  )
}
