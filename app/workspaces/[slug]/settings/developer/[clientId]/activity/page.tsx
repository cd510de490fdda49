import type { Metadata } from 'next'
import { FailuresSection } from '@/components/apps/failures-section'
import { listFailures } from '@/lib/features/apps/failures/list-failures'
import { openApp } from '../../open-app'

export const metadata: Metadata = { title: 'Activity' }

export default async function AppActivityPage({
  params,
}: {
  params: Promise<{ slug: string; clientId: string }>
}) {
  const { app, actor } = await openApp(params, '/activity')
  return <FailuresSection failures={await listFailures(actor, app.id)} />
}
