import { MonitorSmartphone } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { Say } from '@/lib/base/language/say'
import type { Scope } from '@/lib/policy/scopes'
import { AskAdmin, EarlierAccess, NewProject, type NewProjectPlace } from '../consent/consent-notes'
import { PermissionList, scopePermissions } from '../consent/permission-list'
import { AppLinks, Publisher } from '../consent/publisher'
import { type Asked, ReachPicker } from '../consent/reach-picker'
import type { ConsentApp, PickerGroup } from '../consent/types'
import { Alert } from '../ui/alert'
import { AppLogo } from '../ui/avatar'
import { Button } from '../ui/button'
import { HiddenFields } from '../ui/stack'

/**
 * Asks whether the device shows this code, or without `code` only whether the app gets access. Posts `decision`
 * (`authorize` or `deny`) and `fields`. The consent card with permissions and selection follows if a scope needs it;
 * `children` can show more.
 */
export function DeviceConfirm({
  say,
  app,
  code,
  action,
  fields,
  requestedFrom,
  children,
}: {
  say: Say
  app: ConsentApp
  code?: string
  action: string
  fields?: Record<string, string>
  /** The origin of the request, as far as known: "curl/8.5.0, 203.0.113.7". */
  requestedFrom?: string
  children?: React.ReactNode
}) {
  return (
    <form method="post" action={action} className="grid gap-5">
      <HiddenFields fields={fields} />
      <div className="grid justify-items-center gap-3 text-center">
        {app.logoUrl || app.logoDarkUrl || code === undefined ? (
          <AppLogo app={app} className="size-12 rounded-[12px]" />
        ) : (
          <span className="grid size-12 place-content-center rounded-full bg-raised text-muted">
            <MonitorSmartphone aria-hidden className="size-6" />
          </span>
        )}
        <h1 className="text-balance font-semibold text-xl leading-7">
          {say('device.connect', { app: app.name })}
        </h1>
        <div className="text-[15px] text-muted leading-[22px]">
          <Publisher say={say} app={app} />
        </div>
      </div>
      {code !== undefined && (
        <>
          <p className="text-center text-[15px] text-muted">{say('device.same')}</p>
          <p
            className="-mt-2 rounded-control border bg-background py-3 text-center font-mono text-2xl tracking-[0.16em]"
            dir="ltr"
          >
            {code}
          </p>
        </>
      )}
      {requestedFrom && (
        <p className="text-center text-[13px] text-muted">{say('device.from', { from: requestedFrom })}</p>
      )}
      {code !== undefined && <Alert tone="warning">{say('device.warning')}</Alert>}
      {children}
      <AppLinks say={say} app={app} />
      <div className="grid gap-2">
        <Button type="submit" name="decision" value="authorize" variant="primary" size="large" wide>
          {say('consent.authorize')}
        </Button>
        <Button type="submit" name="decision" value="deny" variant="quiet" size="large" wide>
          {say('consent.deny')}
        </Button>
      </div>
    </form>
  )
}

type View = Pick<ComponentProps<typeof EarlierAccess>, 'kept' | 'lost'> & {
  app: ConsentApp
  scopes: readonly Scope[]
  added: readonly Scope[]
  asked: Asked
  workspaces?: PickerGroup[]
  projects?: PickerGroup[]
  places: NewProjectPlace[]
  askable: { id: string; name: string; decides: boolean }[]
}

/** Shows the permissions and the selection within the form that connects a device. */
export function DeviceDetails({
  say,
  view,
  refused,
  asked,
  projectError,
}: {
  say: Say
  view: View
  refused?: string | undefined
  asked?: string | undefined
  projectError?: string | undefined
}) {
  const { app, scopes, workspaces, projects } = view
  const nothing = refused === 'nothing-selected' ? say('consent.chooseAny') : undefined
  return (
    <>
      {nothing && (
        <Alert tone="danger" title={say('consent.nothing')}>
          {nothing}
        </Alert>
      )}
      {refused === 'selection' && <Alert tone="danger" title={say('consent.gone')} />}
      {scopes.length > 0 && (
        <PermissionList say={say} app={app} permissions={scopePermissions(say, scopes, view.added)} />
      )}
      <EarlierAccess say={say} appName={app.name} kept={view.kept} lost={view.lost} />
      {(workspaces || projects) && (
        <ReachPicker
          say={say}
          appName={app.name}
          asked={view.asked}
          workspaces={workspaces}
          projects={projects}
          error={nothing}
          empty={
            <NewProject
              say={say}
              appName={app.name}
              wants={projects ? 'project' : 'workspace'}
              places={view.places}
              error={projectError}
            />
          }
        />
      )}
      <AskAdmin say={say} places={view.askable} outcome={asked} />
    </>
  )
}
