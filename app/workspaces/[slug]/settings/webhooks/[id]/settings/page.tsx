import type { Metadata } from 'next'
import { Stack } from '@/components/ui/stack'
import { SigningSecretSection } from '@/components/webhooks/signing-secret-section'
import { WebhookForm } from '@/components/webhooks/webhook-form'
import { StateSection } from '@/components/webhooks/webhook-table'
import * as actions from '../../actions'
import { openWebhook } from '../../open-webhook'

export const metadata: Metadata = { title: 'Settings' }

export default async function WebhookSettingsPage({
  params,
}: {
  params: Promise<{ slug: string; id: string }>
}) {
  const { webhook, listHref, disabled, previousUntil } = await openWebhook(params, '/settings')
  const { id } = webhook
  return (
    <Stack>
      <WebhookForm webhook={webhook} action={actions.updateWebhookAction} />
      <SigningSecretSection
        place={{ id }}
        previousUntil={previousUntil}
        rotate={actions.rotateSecretAction}
      />
      <StateSection
        {...{ id, disabled, listHref }}
        change={actions.switchWebhookAction}
        remove={actions.deleteWebhookAction}
      />
    </Stack>
  )
}
