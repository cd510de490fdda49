import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { SettingsTable } from '@/components/instance-admin/settings-table'
import { readSettings } from '@/lib/features/instance-admin/read-instance'
import { openInstanceAdmin } from '../../open-instance-admin'

export const metadata: Metadata = { title: 'Settings in effect' }

export default async function SettingsInEffectPage() {
  const { actor } = await openInstanceAdmin('/admin/settings/environment')
  return (
    <>
      <PageHeader
        title="Settings in effect"
        trail={[{ label: 'Settings', href: '/admin/settings' }]}
        description="Every setting of this process, with its source. Secrets are masked."
      />
      <SettingsTable settings={readSettings(actor)} />
    </>
  )
}
