import type { Metadata } from 'next'
import { SettingsInEffect } from '@/components/instance-admin/fact-list'
import { SettingsForm } from '@/components/instance-admin/settings-form'
import { Stack } from '@/components/ui/stack'
import { readSettings } from '@/lib/features/instance-admin/read-instance'
import { listChangeable } from '@/lib/features/instance-settings/change-settings'
import { openInstanceAdmin } from '../open-instance-admin'
import { changeSettingsAction } from './actions'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const { actor } = await openInstanceAdmin('/admin/settings')
  return (
    <Stack>
      <SettingsForm groups={listChangeable(actor, 'settings')} action={changeSettingsAction} />
      <SettingsInEffect settings={readSettings(actor)} />
    </Stack>
  )
}
