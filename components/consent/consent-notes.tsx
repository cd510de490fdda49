import type { Say } from '@/lib/base/language/say'
import type { Scope } from '@/lib/policy/scopes'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { SelectField, TextAreaField, TextField } from '../ui/field'
import { FolderPlus } from '../ui/icon'
import { scopeSentence } from './permission-list'
import type { AskablePlace } from './reach-picker'

/**
 * Shows the outcome of the last approval request. If the user can request or give another approval, also
 * shows the field for the reason of the request. The buttons that send a request are in the rows of the
 * workspaces. The field has several lines, so that Enter does not submit the form.
 */
export function ApprovalRequests({
  say,
  places,
  outcome,
}: {
  say: Say
  places: AskablePlace[]
  outcome?: string | undefined
}) {
  if (places.length === 0)
    return outcome === 'approved' ? <Alert tone="success" title={say('ask.approved')} /> : null
  const open = places.filter(({ decides, requested }) => decides || !requested)
  return (
    <section
      aria-label={say('ask.title')}
      className="-mt-3 grid gap-3 rounded-control border bg-background p-3.5 text-sm"
    >
      {outcome === 'yes' && <Alert tone="success" title={say('ask.asked')} />}
      {outcome === 'approved' && <Alert tone="success" title={say('ask.approved')} />}
      {outcome === 'no' && <Alert tone="danger" title={say('ask.failed')} />}
      {open.length === 0 ? (
        outcome !== 'yes' && <p className="text-muted">{say('ask.asked')}</p>
      ) : (
        <>
          <p className="text-muted">{say('ask.why')}</p>
          <TextAreaField
            label={say('ask.reason')}
            name="reason"
            hint={say('ask.reasonHint')}
            rows={2}
            maxLength={500}
          />
        </>
      )}
    </section>
  )
}

type Props = {
  say: Say
  appName: string
  kept: {
    scopes: readonly Scope[]
    workspaces: { id: string; name: string }[]
    projects: { id: string; name: string; workspaceName: string }[]
  }
  lost: readonly Scope[]
}

/**
 * Lists the scopes and resources that the app keeps from an earlier authorization, and the scopes that the
 * app loses. Renders nothing if the app keeps and loses no scopes.
 */
export function EarlierAccess({ say, appName, kept, lost }: Props) {
  const shared = [
    ...kept.workspaces.map(({ name }) => name),
    ...kept.projects.map(({ name, workspaceName }) =>
      say('earlier.projectIn', { project: name, workspace: workspaceName }),
    ),
  ]
  return (
    <>
      {kept.scopes.length > 0 && (
        <Sentences say={say} title={say('earlier.keeps', { app: appName })} scopes={kept.scopes}>
          {shared.length > 0 && (
            <li className="text-muted">{say('earlier.selected', { names: listed(say, shared) })}</li>
          )}
        </Sentences>
      )}
      {lost.length > 0 && (
        <Sentences say={say} title={say('earlier.loses', { app: appName })} scopes={lost} />
      )}
    </>
  )
}

const listed = (say: Say, names: string[]) =>
  new Intl.ListFormat(say.language, { type: 'unit' }).format(names)

function Sentences({
  say,
  title,
  scopes,
  children,
}: {
  say: Say
  title: string
  scopes: readonly Scope[]
  children?: React.ReactNode
}) {
  return (
    <section aria-label={title} className="grid gap-1.5 text-sm leading-5">
      <h2 className="font-semibold">{title}</h2>
      <ul className="grid gap-1">
        {scopes.map((scope) => (
          <li key={scope}>{scopeSentence(say, scope)}</li>
        ))}
        {children}
      </ul>
    </section>
  )
}

export type NewProjectPlace = { id: string; name: string }

/**
 * Replaces an empty list with the fields for a first project. If the app requires only workspaces, or if the
 * user cannot create a project, a note replaces the list. The button that creates the project precedes the
 * decision buttons, because Enter presses the form's first button. Enter therefore creates the project and
 * authorizes nothing.
 */
export function NewProject({
  say,
  appName,
  wants,
  places,
  error,
}: {
  say: Say
  appName: string
  wants: 'workspace' | 'project'
  /** The workspaces in which the user can create a project for the app. */
  places: NewProjectPlace[]
  error?: string | undefined
}) {
  const [only] = places
  if (wants === 'workspace' || !only)
    return (
      <p className="rounded-card border border-dashed bg-background px-4 py-5 text-center text-muted text-sm">
        {say(wants === 'workspace' ? 'reach.noWorkspace' : 'reach.noProject', { app: appName })}
      </p>
    )
  return (
    <div className="grid justify-items-center gap-4 rounded-card border border-dashed bg-background px-5 py-7">
      <div className="grid justify-items-center gap-1 text-center">
        <FolderPlus className="mb-1 size-6 text-muted" />
        <h3 className="font-semibold text-[15px]">{say('project.none')}</h3>
        <p className="text-muted text-sm">{say('project.noneWhy', { app: appName })}</p>
      </div>
      <div className="grid w-full max-w-sm gap-3">
        {places.length === 1 ? (
          <input type="hidden" name="in" value={only.id} />
        ) : (
          <SelectField label={say('project.in')} name="in">
            {places.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={say('project.name')}
          name="project-name"
          maxLength={80}
          defaultValue={say('project.first')}
          error={error}
        />
        <Button type="submit" name="decision" value="create">
          {say('project.create')}
        </Button>
      </div>
    </div>
  )
}
