import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { Outside } from '@/lib/features/apps/activity/revoke-people'
import { whom } from '../app-access/policy-review'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'
import { counted } from '../ui/counted'

/** Whether an app is for everybody or for the members of its workspace, and what a change would cut off. */
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
        description="Only members of this workspace can authorize the app. What others allowed it before counts again once it’s in production."
      >
        <ActionButton action={action} fields={{ id, stage: 'production' }} done="Moved to production">
          Move to production
        </ActionButton>
      </Section>
    )
  }
  return (
    <Section
      title="In production"
      description="Everybody can authorize the app. While it’s in development, only members of this workspace can."
    >
      <div>
        <ConfirmAction
          trigger="Move to development"
          triggerLook={{ variant: 'secondary' }}
          title={`Move ${name} to development?`}
          confirmLabel="Move to development"
          done="Moved to development"
          action={action}
          fields={{ id, stage: 'development' }}
        >
          <ul aria-label="Who loses the app" className="grid gap-1">
            {losses(outside).map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </ConfirmAction>
      </div>
    </Section>
  )
}

/** What stops at the app's next request, in sentences. */
function losses({ people, installations, workspaces }: Outside): string[] {
  const lost = [
    ...(people > 0 ? [`${counted(people, 'person', 'people')} outside this workspace`] : []),
    ...(installations > 0
      ? [
          `${counted(installations, 'workspace', 'workspaces')} that installed it: ${whom(workspaces, installations)}`,
        ]
      : []),
  ]
  if (lost.length === 0) return ['Nobody outside this workspace uses the app now.']
  return [
    'From its next request on, the app can’t act for:',
    ...lost,
    'Nothing is deleted: it counts again once the app is in production.',
  ]
}
