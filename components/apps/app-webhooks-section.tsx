import type { WebhookState } from '@/lib/features/webhooks/list-webhooks'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { WebhookTable } from '../webhooks/webhook-table'

/** The app's own endpoints, which are told what concerns it. */
export function AppWebhooksSection({
  clientId,
  webhooks,
  pagesHref,
}: {
  clientId: string
  webhooks: WebhookState[]
  /** Below which the pages of webhooks lie. */
  pagesHref: string
}) {
  const create = (
    <ButtonLink href={`${pagesHref}/new?app=${encodeURIComponent(clientId)}`}>New webhook</ButtonLink>
  )
  return (
    <Section
      title="Webhooks"
      description="Tell your app when people let it in or take that back, and when workspaces install or uninstall it."
      action={webhooks.length > 0 ? create : undefined}
      flush
    >
      {webhooks.length === 0 ? (
        <EmptyState title="No webhooks yet" action={create}>
          Without one, your app only finds out that access ended when its next request is refused.
        </EmptyState>
      ) : (
        <WebhookTable webhooks={webhooks} listHref={pagesHref} />
      )}
    </Section>
  )
}
