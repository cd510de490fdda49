import type { Metadata } from 'next'
import { PageHeader } from '@/components/frame/page-header'
import { SettingsForm } from '@/components/instance-admin/settings-form'
import { listChangeable } from '@/lib/features/instance-settings/change-settings'
import { openInstanceAdmin } from '../../open-instance-admin'
import { changeSettingsAction } from '../actions'
import { SettingsTabs } from '../settings-tabs'

export const metadata: Metadata = { title: 'Apps and workspaces · Settings' }

export default async function AppSettingsPage() {
  const { actor } = await openInstanceAdmin('/admin/settings/apps')
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsTabs />
      <SettingsForm groups={listChangeable(actor, 'apps')} action={changeSettingsAction} />
    </>
  )
}
