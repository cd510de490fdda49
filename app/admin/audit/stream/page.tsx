import type { Metadata } from 'next'
import { streamPageActions } from '@/app/audit-log/stream-page-actions'
import { StreamSettings } from '@/components/audit-streams/stream-settings'
import { PageHeader } from '@/components/frame/page-header'
import { readStream } from '@/lib/features/audit-streams/read-stream'
import { openInstanceAdmin } from '../../open-instance-admin'

export const metadata: Metadata = { title: 'Audit stream' }

const logHref = '/admin/audit'

export default async function InstanceStreamPage() {
  const { actor } = await openInstanceAdmin(`${logHref}/stream`)
  const stream = await readStream(actor, 'installation')
  return (
    <>
      <PageHeader
        title="Audit stream"
        trail={[{ label: 'Audit log', href: logHref }]}
        description="All audit events on this instance, including events outside any workspace."
      />
      <StreamSettings
        {...{ stream, logHref }}
        place={{}}
        href={`${logHref}/stream`}
        actions={streamPageActions}
      />
    </>
  )
}
