'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { AppLogo, type LogoOwner } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { ProjectChoice } from './project-choice'
import { adminSentence } from './scope-sentences'

type Installable = LogoOwner & {
  scopes: string[]
  verified: boolean
  runBy: string | null
}

/** A form to install an app into a workspace, or to change its installation. */
export function InstallForm({
  place,
  app,
  workspace,
  projects,
  installed,
  action,
}: {
  /** Hidden inputs that identify the app and the workspace. */
  place: Record<string, string>
  app: Installable
  workspace: string
  projects: { id: string; name: string }[]
  installed: { scopes: string[]; allProjects: boolean; projectIds: string[] } | null
  action: FormAction
}) {
  const [{ fields, values, turn, ...state }, submit] = useFormAction(action)
  const kept = (name: string, before: readonly string[]) =>
    turn > 0 && state.result === undefined ? (values[name] ?? '').split('\n') : before
  const { name, runBy } = app
  return (
    <form action={submit}>
      <HiddenFields fields={place} />
      <Section
        title={installed ? 'Change access' : 'Access'}
        description={`${name} acts for ${workspace} itself, not for a user, until an admin uninstalls it. It can’t manage members, tokens, or apps.`}
        footer={
          <SubmitButton className="ml-auto">
            {installed ? 'Save installation' : `Install ${name}`}
          </SubmitButton>
        }
      >
        <FormOutcome state={{ fields, values, turn, ...state }} saved="App installed" />
        <div className="flex items-center gap-3">
          <AppLogo app={app} />
          <div className="grid">
            <span className="flex flex-wrap items-center gap-1.5 font-medium">
              {name} {app.verified && <Badge tone="success">Verified</Badge>}
            </span>
            <span className="text-[13px] text-muted">
              {runBy ? `by ${runBy}` : 'Self-registered, not verified'}
            </span>
          </div>
        </div>
        <ChoiceGroup key={`scopes-${turn}`} legend="Requested scopes" error={fields.scopes}>
          {app.scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              name="scopes"
              value={scope}
              defaultChecked={kept('scopes', installed?.scopes ?? app.scopes).includes(scope)}
              hint={adminSentence(scope)}
            />
          ))}
        </ChoiceGroup>
        <ProjectChoice
          key={`projects-${turn}`}
          projects={projects}
          chosen={kept('projectIds', installed?.allProjects ? [] : (installed?.projectIds ?? []))}
          error={fields.projectIds}
        />
      </Section>
    </form>
  )
}
