import type { Metadata } from 'next'
import { BrandPreview } from '@/components/instance-admin/brand-preview'
import { SettingsForm } from '@/components/instance-admin/settings-form'
import { listChangeable } from '@/lib/features/instance-settings/change-settings'
import { openInstanceAdmin } from '../open-instance-admin'
import { changeBrandingAction, drawPreviewAction } from './actions'
import { drawPreview } from './draw-preview'

export const metadata: Metadata = { title: 'Branding' }

export default async function BrandingPage() {
  const session = await openInstanceAdmin('/admin/branding')
  return (
    <SettingsForm
      groups={listChangeable(session.actor, 'branding')}
      action={changeBrandingAction}
      saved="Branding saved"
    >
      <BrandPreview first={drawPreview(session, {})} draw={drawPreviewAction} />
    </SettingsForm>
  )
}
