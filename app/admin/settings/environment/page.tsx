import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { SettingsTable } from '@/components/instance-admin/settings-table'
import { readSettings } from '@/lib/features/instance-admin/read-instance'
import { openInstanceAdmin } from '../../open-instance-admin'
import { SettingsTabs } from '../settings-tabs'

export const metadata: Metadata = { title: 'All values · Settings' }

export default async function SettingsInEffectPage() {
  const { actor } = await openInstanceAdmin('/admin/settings/environment')
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsTabs />
      <p className="mb-4 text-muted">
        All settings of this server and where each value comes from. Secrets are masked.
      </p>
      <SettingsTable settings={readSettings(actor)} />
    </>
  )
}
