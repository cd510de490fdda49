import type { Metadata } from 'next'
import { SettingsForm } from '@/components/instance-admin/settings-form'
import { listChangeable } from '@/lib/features/instance-settings/change-settings'
import { openInstanceAdmin } from '../open-instance-admin'
import { changeSettingsAction } from './actions'
import { SettingsTabs } from './settings-tabs'

export const metadata: Metadata = { title: 'Settings' }

export default async function SignInSettingsPage() {
  const { actor } = await openInstanceAdmin('/admin/settings')
  return (
    <>
      <SettingsTabs />
      <SettingsForm groups={listChangeable(actor, 'sign-in')} action={changeSettingsAction} />
    </>
  )
}
