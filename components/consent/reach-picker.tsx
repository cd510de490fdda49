import type { ReactNode } from 'react'
import type { MessageKey, PlainMessageKey, Say } from '@/lib/base/language/say'
import { coversProjects, type GrantedAccess, grantedAccess, type Role } from '@/lib/policy/scopes'
import { Button, buttonClass } from '../ui/button'
import { FieldError } from '../ui/field'
import { Search } from '../ui/icon'
import { Input } from '../ui/input'
import type { PickerGroup, PickerOption } from './types'

/**
 * A workspace with its projects. `workspace` is undefined if the workspace itself is not one of the choices.
 */
export type Branch = {
  id: string
  name: string
  workspace?: PickerOption | undefined
  projects: PickerOption[]
  /** The approval that the user can request from the workspace; undefined if there is none. */
  approval?: AskablePlace
}

/**
 * Groups the choices by workspace, with the projects below each workspace. If the workspace of a project is
 * not one of the choices, for example because the user is not a member of the workspace, the workspace is
 * only a heading.
 */
function reachTree(
  workspaces: PickerGroup[] = [],
  projects: PickerGroup[] = [],
  askable: AskablePlace[] = [],
): Branch[] {
  const branches = new Map<string, Branch>()
  for (const option of workspaces.flatMap((group) => group.options))
    branches.set(option.id, { id: option.id, name: option.name, workspace: option, projects: [] })
  for (const { id = '', heading = '', options } of projects) {
    const branch = branches.get(id) ?? { id, name: heading, projects: [] }
    branch.projects.push(...options)
    branches.set(id, branch)
  }
  for (const approval of askable) {
    const { id, name } = approval
    branches.set(id, { ...(branches.get(id) ?? { id, name, projects: [] }), approval })
  }
  return [...branches.values()]
}

/**
 * The minimum number of boxes for which the picker offers search, the filter for selected entries, and arrow
 * keys.
 */
const many = 8

/** The highest role that the app requests for each kind of resource; undefined if it requests none. */
export type AskedRoles = { workspace: Role | undefined; project: Role | undefined }

type Props = {
  say: Say
  appName: string
  asked: AskedRoles
  workspaces?: PickerGroup[] | undefined
  projects?: PickerGroup[] | undefined
  error?: string | undefined
  /** Replaces the boxes if there are no workspaces or projects to show. */
  empty: ReactNode
  /** The workspaces whose approval the user can request or, as an admin, give. */
  askable?: AskablePlace[] | undefined
}

/**
 * A workspace whose admins can be asked to approve the app or to extend its approval. `decides`: whether the
 * user is one of these admins. `requested`: whether the user has an open request.
 */
export type AskablePlace = { id: string; name: string; decides: boolean; requested: boolean }

/**
 * Lets the user select the resources that an app can access, in a tree of native checkboxes. Projects are
 * below their workspace. If the role that the app requests for workspaces includes the role for projects, a
 * checked workspace covers its projects. The picker works without JavaScript.
 * components/page-scripts/reach.ts adds search, a filter for selected entries, the count, "Select all" (with
 * a confirmation before an app gets full control of many resources), and arrow keys. It also locks covered
 * projects. The styles are in app/auth-pages.css.
 */
export function ReachPicker(props: Props) {
  const { say, asked, workspaces, projects, error } = props
  const branches = reachTree(workspaces, projects, props.askable)
  const options = branches.flatMap((branch) => [branch.workspace, ...branch.projects]).filter(Boolean)
  const first = options.find((option) => option && !option.closed)?.id
  const Label = (
    <h2 className="min-w-0 flex-1 font-semibold text-[15px] max-sm:basis-full">{say('reach.title')}</h2>
  )
  if (branches.length === 0)
    return (
      <section className="grid gap-2.5">
        {Label}
        {props.empty}
      </section>
    )
  return (
    <fieldset
      data-reach
      data-many={options.length >= many ? '' : undefined}
      data-count={say('reach.count')}
      data-all={say('reach.all')}
      data-confirm={options.length >= many && givesFullControl(props) ? say('reach.allAdmin') : undefined}
      data-clear={say('reach.clear')}
      data-more={say('reach.more')}
      aria-label={say(workspaces ? 'reach.workspaces' : 'reach.projects')}
      aria-describedby={error ? 'reach-error' : undefined}
      className="min-w-0"
    >
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        {Label}
        <span
          data-reach-count
          // If Next renders the page, /reach.js might write the count before React hydrates the page. With
          // this attribute, React tolerates changed text, but not a new node. The element therefore contains
          // a space from the start.
          suppressHydrationWarning
          aria-live="polite"
          className="needs-script text-[13px] text-muted tabular-nums"
        >
          {' '}
        </span>
        <button
          type="button"
          data-reach-all
          suppressHydrationWarning
          aria-live="polite"
          className={buttonClass({
            size: 'small',
            variant: 'quiet',
            className: 'needs-script -me-2 text-link',
          })}
        >
          {say('reach.all')}
        </button>
      </div>
      <div className={`overflow-hidden rounded-card border ${error ? 'border-danger' : ''}`}>
        {options.length >= many && (
          <div className="needs-script flex items-center gap-2 border-b max-sm:flex-wrap bg-background p-2">
            <span className="relative min-w-0 flex-1 max-sm:basis-full">
              <Search className="absolute start-3 top-2.5 size-4 text-muted" />
              <Input
                type="search"
                data-reach-search
                aria-label={say('reach.search')}
                aria-describedby="reach-keys"
                placeholder={say('reach.search')}
                autoComplete="off"
                className="ps-9"
              />
            </span>
            <button
              type="button"
              data-reach-chosen
              aria-pressed="false"
              className={buttonClass({ className: 'aria-pressed:bg-raised aria-pressed:text-link' })}
            >
              {say('reach.chosen')}
            </button>
          </div>
        )}
        {options.length >= many && (
          <p id="reach-keys" hidden>
            {say('reach.keys')}
          </p>
        )}
        <div className="auth-reach" data-covers={coversProjects(asked) ? '' : undefined}>
          {branches.map((branch) => (
            <Workspace key={branch.id} {...props} branch={branch} refused={error ? first : undefined} />
          ))}
          {/* A live region must exist before its text changes, or screen readers do not announce it. */}
          <div role="status">
            <p data-reach-none hidden className="px-4 py-3 text-muted text-sm">
              {say('reach.none')}
            </p>
          </div>
        </div>
      </div>
      {error && (
        <div className="mt-1.5">
          <FieldError id="reach-error">{error}</FieldError>
        </div>
      )}
      <script src="/reach.js" defer />
    </fieldset>
  )
}

/** Returns whether the app would get full control of at least one resource that the user can select. */
const givesFullControl = ({ asked, workspaces = [], projects = [] }: Props): boolean =>
  [
    { groups: workspaces, role: asked.workspace },
    { groups: projects, role: asked.project },
  ].some(({ groups, role }) =>
    groups.some(({ options }) =>
      options.some(({ own, closed }) => own && !closed && grantedAccess(own, role) === 'full'),
    ),
  )

function Workspace({
  say,
  appName,
  asked,
  branch,
  refused,
}: Props & { branch: Branch; refused: string | undefined }) {
  const { id, name, workspace, projects } = branch
  return (
    <div data-branch={name}>
      {workspace ? (
        <div className="head" data-option>
          <Box option={workspace} name="workspace" refused={refused} />
          <label htmlFor={workspace.id}>{name}</label>
          <small id={`d-${id}`}>{describe(say, workspace, asked.workspace, appName)}</small>
          <ApprovalButton say={say} branch={branch} />
        </div>
      ) : (
        <div className="head bare">
          <p>{name}</p>
          <ApprovalButton say={say} branch={branch} />
        </div>
      )}
      {projects.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a nested fieldset would need a legend
        <div role="group" aria-label={asked.workspace ? say('reach.projects') : name}>
          {projects.map((option) => (
            <div key={option.id} className="project" data-option>
              <Box option={option} name="project" refused={refused} />
              <label htmlFor={option.id}>{option.name}</label>
              <small id={`d-${option.id}`}>{shortly(say, option, asked.project)}</small>
              <small className="via">{say('reach.included')}</small>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/**
 * The button with which the user requests a workspace's approval or, as an admin, gives the approval. The
 * button submits the form of the page. For users who are not admins, a note replaces the button while their
 * request is open. Renders nothing if there is no approval to request.
 */
const ApprovalButton = ({ say, branch: { id, name, approval } }: { say: Say; branch: Branch }) => {
  if (!approval) return null
  const { decides, requested } = approval
  if (requested && !decides) return <span className="ask text-[13px] text-muted">{say('ask.pending')}</span>
  const text = say(decides ? 'ask.approve' : 'ask.submit')
  return (
    <Button
      type="submit"
      size="small"
      name="decision"
      value={`${decides ? 'approve' : 'ask'}:${id}`}
      aria-label={`${text}: ${name}`}
      className="ask"
    >
      {text}
    </Button>
  )
}

const Box = ({
  option,
  name,
  refused,
}: {
  option: PickerOption
  name: string
  /**
   * The ID of the box that receives the focus after a submission without a selection; undefined if there was
   * no such submission. The `autofocus` attribute works without JavaScript.
   */
  refused: string | undefined
}) => (
  <input
    id={option.id}
    type="checkbox"
    name={name}
    value={option.id}
    defaultChecked={option.selected}
    disabled={option.closed}
    {...(option.id === refused && { autoFocus: true })}
    aria-describedby={`d-${option.id}`}
    className="tick"
  />
)

/**
 * The texts about the app's access to a workspace. If there is no text for an access level, the user's role
 * is shown.
 */
const sentences = {
  full: 'reach.adminFull',
  member: 'reach.memberCapped',
  viewer: 'reach.viewerCapped',
} as const satisfies Partial<Record<GrantedAccess, MessageKey>>
type Sentence = (typeof sentences)[keyof typeof sentences]
/**
 * The texts about the app's access to a project. If there is no text for an access level, the user's role is
 * shown.
 */
const words: Partial<Record<GrantedAccess, PlainMessageKey>> = {
  member: 'reach.noManage',
  viewer: 'reach.readOnly',
}

/**
 * Returns the text about the app's access to a workspace, which never exceeds the user's role. A note about
 * the workspace's restrictions follows the text or, if the box is disabled, replaces the text.
 */
function describe(say: Say, option: PickerOption, asked: Role | undefined, app: string): string {
  const { own, note, closed } = option
  if (note && closed) return say.known(note)
  const key = own && (sentences as Partial<Record<GrantedAccess, Sentence>>)[grantedAccess(own, asked)]
  const role = key ? say(key, { app }) : own ? say(`reach.as.${own}`) : ''
  return note ? `${role} · ${say.known(note)}` : role
}

/** Returns the text about the app's access to a project, like `describe` but shorter. */
function shortly(say: Say, { own, note, closed }: PickerOption, asked: Role | undefined): string {
  if (note && closed) return say.known(note)
  const role = own ? say(words[grantedAccess(own, asked)] ?? `role.${own}`) : ''
  return note ? `${role} · ${say.known(note)}` : role
}
