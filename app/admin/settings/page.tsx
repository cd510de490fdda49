import type { Metadata } from 'next'
import { SettingsForm } from '@/components/instance-admin/settings-form'
import { ButtonLink } from '@/components/ui/button-link'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { listChangeable } from '@/lib/features/instance-settings/change-settings'
import { openInstanceAdmin } from '../open-instance-admin'
import { changeSettingsAction } from './actions'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const { actor } = await openInstanceAdmin('/admin/settings')
  return (
    <Stack>
      <SettingsForm groups={listChangeable(actor, 'settings')} action={changeSettingsAction} />
      <Section
        title="Settings in effect"
        description="The value and the source of every setting, including those from the environment."
      >
        <div>
          <ButtonLink href="/admin/settings/environment">Show all settings</ButtonLink>
        </div>
      </Section>
    </Stack>
  )
}
