import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ButtonLink } from '../ui/button-link'

/** What there is to do about a webhook's log: see what came meanwhile, and try whether messages arrive. */
export function LogActions({
  id,
  href,
  sendTest,
}: {
  id: string
  /** The webhook's page. */
  href: string
  /** Left out for a webhook that is off. */
  sendTest: FormAction | undefined
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink href={href} prefetch={false} scroll={false}>
        Refresh
      </ButtonLink>
      {sendTest && (
        <ActionButton action={sendTest} fields={{ id }} done="Test event queued">
          Send test event
        </ActionButton>
      )}
    </div>
  )
}
