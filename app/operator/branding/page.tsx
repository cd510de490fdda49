import type { Metadata } from 'next'
import { BrandPreview } from '@/components/operator/brand-preview'
import { SettingsForm } from '@/components/operator/settings-form'
import { listChangeable } from '@/lib/features/instance-settings/change-settings'
import { openOperator } from '../open-operator'
import { changeBrandingAction, drawPreviewAction } from './actions'
import { drawPreview } from './draw-preview'

export const metadata: Metadata = { title: 'Branding' }

export default async function BrandingPage() {
  const session = await openOperator('/operator/branding')
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
