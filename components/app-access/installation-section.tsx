import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { FactList } from '../operator/fact-list'
import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { LastUsed } from '../ui/last-used'
import { Time } from '../ui/time'

type Installed = { scopes: string[]; projectIds: string[] | null; since: string; lastUsedAt: string | null }

/** What an app is installed for, to be changed or taken back; nothing for one that is not. */
export function InstallationSection({
  app: { id, name, installation },
  projects,
  place,
  path,
  uninstall,
}: {
  app: { id: string; name: string; installation: Installed | null }
  projects: { id: string; name: string }[]
  place: Record<string, string>
  /** Of the page that lists the apps. */
  path: string
  uninstall: FormAction
}) {
  if (!installation) return null
  const changeHref = `${path}/install?client_id=${encodeURIComponent(id)}`
  const { scopes, projectIds, since, lastUsedAt } = installation
  const on = projectIds
    ? projects.filter(({ id }) => projectIds.includes(id)).map((each) => each.name)
    : ['The workspace']
  const facts = [
    { label: 'May', value: scopes.join(', ') },
    { label: 'On', value: on.join(', ') || 'Projects that are gone' },
    { label: 'Installed', value: <Time at={new Date(since)} /> },
    { label: 'Last used', value: <LastUsed at={lastUsedAt ? new Date(lastUsedAt) : null} /> },
  ]
  return (
    <Section
      title="Installation"
      description="It acts for the workspace by itself, with nobody behind it."
      footer={
        <>
          <ButtonLink href={changeHref}>Change</ButtonLink>
          <ConfirmAction
            trigger="Uninstall"
            title={`Uninstall ${name}?`}
            confirmLabel="Uninstall"
            done="Uninstalled"
            action={uninstall}
            fields={place}
          >
            <p>Its tokens for this workspace are dead at their next request. What people allow it stays.</p>
          </ConfirmAction>
        </>
      }
    >
      <FactList facts={facts} />
    </Section>
  )
}
