import type { Metadata } from 'next'
import { SettingsInEffect } from '@/components/operator/fact-list'
import { SettingsForm } from '@/components/operator/settings-form'
import { Stack } from '@/components/ui/stack'
import { listChangeable } from '@/lib/features/instance-settings/change-settings'
import { readSettings } from '@/lib/features/operator/read-instance'
import { openOperator } from '../open-operator'
import { changeSettingsAction } from './actions'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const { actor } = await openOperator('/operator/settings')
  return (
    <Stack>
      <SettingsForm groups={listChangeable(actor, 'settings')} action={changeSettingsAction} />
      <SettingsInEffect settings={readSettings(actor)} />
    </Stack>
  )
}
