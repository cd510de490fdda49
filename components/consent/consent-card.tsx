import type { ReactNode } from 'react'
import type { Brand } from '../frame/brand'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { HiddenFields } from '../ui/hidden-fields'
import { AppLinks } from './app-links'
import { ConsentHeading } from './consent-heading'
import { PermissionList } from './permission-list'
import { PersonLine } from './person-line'
import { ResourcePicker } from './resource-picker'
import type { ConsentApp, ConsentPermission, ConsentPerson, PickerGroup } from './types'

export type ConsentCardProps = {
  brand: Brand
  app: ConsentApp
  person: ConsentPerson
  permissions: ConsentPermission[]
  /** What becomes of what was allowed before, shown below the permissions. */
  earlier?: ReactNode
  /** Where the form posts: `decision` is `authorize` or `deny`, `workspace` and `project` are ids, repeated. */
  action: string
  /** Hidden inputs of the form. */
  fields?: Record<string, string>
  /** "Not you?" posts here (a form of its own), with the same hidden inputs. */
  switchAccountAction: string
  /** The redirect URI's host; absent for a device, which has none. */
  returnHost?: string | undefined
  /** The answer goes to a program on this computer. */
  onThisComputer?: boolean
  /** Present when a scope asks for them; an empty list tells the person what to do. */
  workspaces?: PickerGroup[]
  projects?: PickerGroup[]
  /** Set when the form came back with nothing selected. */
  nothingSelected?: boolean
  /** Anything else that was refused. */
  error?: string | undefined
  /** Asks an admin to let the app in. */
  ask?: ReactNode
  /** Where a person without a workspace or project makes one. */
  createHref?: string
  /** What the app cannot do, in one line. */
  cannot?: ReactNode
}

/** The consent card, as the content of a CardFrame without its logo. One plain form that needs no JavaScript. */
export function ConsentCard(props: ConsentCardProps) {
  const { brand, app, person, permissions, action, fields, workspaces, projects, returnHost } = props
  const pickers = [workspaces, projects].filter((groups) => groups !== undefined)
  const nothingToPick =
    pickers.length > 0 &&
    pickers.every((groups) => groups.every((group) => group.options.every((option) => option.closed)))
  const missing = props.nothingSelected
    ? `Select at least one ${workspaces && projects ? 'workspace or project' : workspaces ? 'workspace' : 'project'}, or deny.`
    : undefined
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <ConsentHeading brand={brand} app={app} returnHost={returnHost} onThisComputer={props.onThisComputer} />
      <PersonLine person={person} action={props.switchAccountAction} fields={fields} />
      <form method="post" action={action} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <HiddenFields fields={fields} />
        {props.error && <Alert tone="danger" title={props.error} />}
        {missing && (
          <Alert tone="danger" title="Nothing is selected">
            Without a selection {app.name} would have no access. {missing}
          </Alert>
        )}
        <PermissionList app={app} permissions={permissions} />
        {props.earlier}
        {workspaces && (
          <ResourcePicker
            label="Workspaces"
            name="workspace"
            groups={workspaces}
            error={missing}
            empty={<Nothing what="workspace" app={app} createHref={props.createHref} />}
          />
        )}
        {projects && (
          <ResourcePicker
            label="Projects"
            name="project"
            groups={projects}
            error={workspaces ? undefined : missing}
            empty={<Nothing what="project" app={app} createHref={props.createHref} />}
          />
        )}
        {props.ask}
        <p className="text-[13px] text-muted leading-5">
          {props.cannot ?? `${app.name} cannot see your password or anything you do not select.`} You can
          change or revoke this at any time under Account, Authorized apps.
        </p>
        <AppLinks app={app} />
        <div className="grid gap-2">
          <Button
            type="submit"
            name="decision"
            value="authorize"
            variant="primary"
            size="large"
            wide
            disabled={nothingToPick}
          >
            Authorize
          </Button>
          <Button type="submit" name="decision" value="deny" variant="quiet" size="large" wide formNoValidate>
            Deny
          </Button>
        </div>
      </form>
      {pickers.length > 0 && <script src="/picker.js" defer />}
    </div>
  )
}

function Nothing({
  what,
  app,
  createHref,
}: {
  what: string
  app: ConsentApp
  createHref?: string | undefined
}) {
  return (
    <>
      You have no {what} that {app.name} could use.{' '}
      {createHref ? (
        <>
          <a href={createHref} className="text-link underline underline-offset-3">
            Create one
          </a>{' '}
          or ask for an invitation, then come back to this page.
        </>
      ) : (
        'Ask for an invitation, then come back to this page.'
      )}
    </>
  )
}
