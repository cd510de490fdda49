import type { ComponentProps } from 'react'
import type { Say } from '@/lib/base/language/say'
import type { ShownApi } from '@/lib/edges/oauth/interaction/consent-view'
import type { Scope } from '@/lib/policy/scopes'
import { ConsentForm } from '../consent/consent-form'
import { ApprovalRequests, EarlierAccess, NewProject, type NewProjectPlace } from '../consent/consent-notes'
import { ApiPermissions, PermissionList, scopePermissions } from '../consent/permission-list'
import { AppLinks, Publisher, UserLine } from '../consent/publisher'
import { type AskablePlace, type AskedRoles, ReachPicker } from '../consent/reach-picker'
import type { ConsentApp, ConsentUser, PickerGroup } from '../consent/types'
import { AppPair, type Brand } from '../frame/brand'
import { Alert } from '../ui/alert'

/**
 * The form to confirm that the device shows this code and to give the app access. Without `code`, the user
 * confirms only the access. In all other respects, the form works like a consent page. It posts `decision`
 * (such as `authorize` or `deny`), `fields`, and the selection. `children` are the permissions and the
 * selection.
 */
export function DeviceConfirm({
  say,
  brand,
  app,
  user,
  code,
  requestedFrom,
  children,
  ...form
}: Omit<ComponentProps<typeof ConsentForm>, 'who'> & {
  brand: Brand
  user: ConsentUser
  code?: string
  /**
   * The user agent and IP address of the device, if known: "curl/8.5.0, 203.0.113.7". Not shown without
   * `code`.
   */
  requestedFrom?: string | undefined
}) {
  return (
    <ConsentForm
      {...form}
      say={say}
      app={app}
      who={
        <>
          <AppPair brand={brand} app={app} />
          <h1 className="text-balance font-semibold text-xl leading-7">
            {say('device.connect', { app: app.name })}
          </h1>
          {code !== undefined && (
            <div className="grid gap-2 text-[15px] text-muted">
              <p>{say('device.same')}</p>
              <p
                className="rounded-control border bg-surface py-3 text-center font-mono text-2xl text-text tracking-[0.16em]"
                dir="ltr"
              >
                {code}
              </p>
              {requestedFrom && (
                <p className="wrap-anywhere text-[13px] leading-5">
                  {say('device.from', { from: requestedFrom })}
                </p>
              )}
            </div>
          )}
          {code !== undefined && <Alert tone="warning">{say('device.warning')}</Alert>}
          <div className="grid gap-2.5 text-[15px] text-muted leading-[22px]">
            <Publisher say={say} app={app} />
            <AppLinks say={say} app={app} />
          </div>
          <UserLine say={say} user={user} />
        </>
      }
    >
      {children}
    </ConsentForm>
  )
}

type View = Pick<ComponentProps<typeof EarlierAccess>, 'kept' | 'lost'> & {
  app: ConsentApp
  scopes: readonly Scope[]
  added: readonly Scope[]
  asked: AskedRoles
  workspaces?: PickerGroup[]
  projects?: PickerGroup[]
  places: NewProjectPlace[]
  askable: AskablePlace[]
  apis: readonly ShownApi[]
}

/**
 * Shows the errors of a rejected form, the permissions, the effect on earlier access, the selection, and
 * approval requests within the form that connects a device.
 */
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
      <ApiPermissions say={say} appName={app.name} apis={view.apis} />
      <EarlierAccess say={say} appName={app.name} kept={view.kept} lost={view.lost} />
      {(workspaces || projects) && (
        <ReachPicker
          say={say}
          appName={app.name}
          asked={view.asked}
          workspaces={workspaces}
          projects={projects}
          askable={view.askable}
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
      <ApprovalRequests say={say} places={view.askable} outcome={asked} />
    </>
  )
}
