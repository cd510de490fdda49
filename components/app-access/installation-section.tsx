import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { LastUsed } from '../ui/expiry'
import { FactList } from '../ui/fact-list'
import { ButtonLink } from '../ui/link'
import { Time } from '../ui/time'

type Installed = {
  scopes: string[]
  projectIds: string[] | null
  since: string
  lastUsedAt: string | null
  suspendedAt: string | null
}

/**
 * Shows an app's installation, with controls to change the installation, and to suspend, resume, or uninstall
 * the app. Renders nothing if the app is not installed.
 */
export function InstallationSection({
  app: { id, name, installation },
  projects,
  place,
  path,
  suspend,
  resume,
  uninstall,
}: {
  app: { id: string; name: string; installation: Installed | null }
  projects: { id: string; name: string }[]
  place: Record<string, string>
  /** The path of the page that lists the apps. */
  path: string
  suspend: FormAction
  resume: FormAction
  uninstall: FormAction
}) {
  if (!installation) return null
  const changeHref = `${path}/install?client_id=${encodeURIComponent(id)}`
  const { scopes, projectIds, since, lastUsedAt, suspendedAt } = installation
  const on = projectIds
    ? projects.filter(({ id }) => projectIds.includes(id)).map((each) => each.name)
    : ['The workspace']
  const facts = [
    { label: 'Access', value: scopes.join(', ') },
    { label: 'Resources', value: on.join(', ') || 'Deleted projects' },
    { label: 'Installed', value: <Time at={new Date(since)} /> },
    { label: 'Last used', value: <LastUsed at={lastUsedAt ? new Date(lastUsedAt) : null} /> },
  ]
  return (
    <Section
      title="Installation"
      description="The app acts for the workspace, not for a user."
      footer={
        <>
          <ButtonLink href={changeHref}>Change</ButtonLink>
          <span className="flex flex-wrap gap-2">
            {suspendedAt ? (
              <ActionButton action={resume} fields={place} done="Resumed">
                Resume
              </ActionButton>
            ) : (
              <ActionButton action={suspend} fields={place} done="Suspended">
                Suspend
              </ActionButton>
            )}
            <ConfirmAction
              trigger="Uninstall"
              title={`Uninstall ${name}?`}
              confirmLabel="Uninstall"
              done="Uninstalled"
              action={uninstall}
              fields={place}
            >
              <p>
                Its tokens for this workspace stop working immediately. Users’ own authorizations aren’t
                affected.
              </p>
            </ConfirmAction>
          </span>
        </>
      }
    >
      {suspendedAt && (
        <Alert tone="warning" title="Suspended">
          Its tokens for this workspace have been rejected since <Time at={new Date(suspendedAt)} />. Resume
          the app to allow them again.
        </Alert>
      )}
      <FactList facts={facts} />
    </Section>
  )
}
