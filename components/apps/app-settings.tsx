import { config } from '@/lib/base/config/env'
import { pictureRefusal } from '@/lib/edges/web/forms/answer-picture-form'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { Outside } from '@/lib/features/apps/activity/revoke-users'
import type { WebhookState } from '@/lib/features/webhooks/list-webhooks'
import { userNames } from '../app-access/policy-review'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { PictureForm } from '../pictures/picture-form'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { counted } from '../ui/formats'
import { ButtonLink } from '../ui/link'
import { WebhookTable } from '../webhooks/webhook-table'
import { InstallableSection } from './installable-section'

/**
 * Lets admins move an app between development and production. Shows which access the move to development
 * would end.
 */
export function StageSection({
  app: { id, name, inDevelopment },
  outside,
  action,
}: {
  app: { id: string; name: string; inDevelopment: boolean }
  outside: Outside
  action: FormAction
}) {
  if (inDevelopment) {
    return (
      <Section
        title="In development"
        description="Who can authorize the app."
        footer={
          <span className="ml-auto">
            <ActionButton action={action} fields={{ id, stage: 'production' }} done="Moved to production">
              Move to production
            </ActionButton>
          </span>
        }
      >
        <p>
          Only members of this workspace can authorize the app. Access that external users granted works again
          when the app is in production.
        </p>
      </Section>
    )
  }
  return (
    <Section
      title="In production"
      description="Who can authorize the app."
      footer={
        <span className="ml-auto">
          <ConfirmAction
            trigger="Move to development"
            triggerLook={{ variant: 'secondary' }}
            title={`Move ${name} to development?`}
            confirmLabel="Move to development"
            done="Moved to development"
            action={action}
            fields={{ id, stage: 'development' }}
          >
            <ul aria-label="Users who lose access" className="grid gap-1">
              {losses(outside).map((loss) => (
                <li key={loss}>{loss}</li>
              ))}
            </ul>
          </ConfirmAction>
        </span>
      }
    >
      <p>Any user can authorize the app. In development, only members of this workspace can.</p>
    </Section>
  )
}

/** Returns the lines of text that describe which access the app would lose in development. */
function losses({ users, installations, workspaces }: Outside): string[] {
  const lost = [
    ...(users > 0 ? [`${counted(users, 'user', 'users')} outside this workspace`] : []),
    ...(installations > 0
      ? [
          `${counted(installations, 'workspace', 'workspaces')} that installed it: ${userNames(workspaces, installations)}`,
        ]
      : []),
  ]
  if (lost.length === 0) return ['No external users use the app.']
  return [
    'Starting with its next request, the app can’t act for:',
    ...lost,
    'Nothing is deleted. Access works again once the app is in production.',
  ]
}

/** Lets admins change an app's logo and its logo for dark pages. */
export async function AppLogos({
  app: { id, name, logoUrl, logoDarkUrl },
  action,
  error,
}: {
  app: { id: string; name: string; logoUrl: string | null; logoDarkUrl: string | null }
  /** The path to which the forms for both logos post. Each form adds its own `theme` parameter. */
  action: string
  /** The `?error` parameter of the page. */
  error: string | string[] | undefined
}) {
  const both = { owner: name, ownerId: id, shape: 'square' } as const
  return (
    <>
      <PictureForm
        {...both}
        at="light-logo"
        title="Logo"
        description="Shown on the consent page and in authorized apps."
        label="New logo"
        src={logoUrl}
        standIn={logoDarkUrl}
        ground="light"
        action={`${action}?theme=light`}
        refused={await pictureRefusal(error, 'light-logo')}
      />
      <PictureForm
        {...both}
        at="dark-logo"
        title="Logo for dark pages"
        description="Shown on dark pages instead of the logo. Optional."
        label="New dark logo"
        src={logoDarkUrl}
        standIn={logoUrl}
        ground="dark"
        action={`${action}?theme=dark`}
        refused={await pictureRefusal(error, 'dark-logo')}
      />
    </>
  )
}

/** Lists the app's own webhooks, with a link to create a webhook. */
export function AppWebhooksSection({
  clientId,
  webhooks,
  pagesHref,
}: {
  clientId: string
  webhooks: WebhookState[]
  /** The path prefix of the webhook pages. */
  pagesHref: string
}) {
  const create = (
    <ButtonLink href={`${pagesHref}/new?app=${encodeURIComponent(clientId)}`}>New webhook</ButtonLink>
  )
  return (
    <Section
      title="Webhooks"
      description="Get notified when users authorize your app or revoke its access, and when workspaces install or uninstall it."
      action={webhooks.length > 0 ? create : undefined}
      flush
    >
      {webhooks.length === 0 ? (
        <EmptyState title="No webhooks yet" action={create}>
          Without a webhook, you learn that access has ended only when a request is rejected.
        </EmptyState>
      ) : (
        <WebhookTable webhooks={webhooks} listHref={pagesHref} />
      )}
    </Section>
  )
}

/**
 * Lets admins choose whether an app can be installed into workspaces. Renders nothing for native apps,
 * because they cannot be installed.
 */
export function InstallationSettings({
  app,
  action,
}: {
  app: { id: string; type: 'WEB' | 'NATIVE'; installScopes: string[] }
  action: FormAction
}) {
  if (app.type === 'NATIVE') return null
  const link = `${config().BASE_URL}/install?client_id=${encodeURIComponent(app.id)}`
  return <InstallableSection clientId={app.id} scopes={app.installScopes} link={link} action={action} />
}
