import type { ComponentProps } from 'react'
import type { Say } from '@/lib/base/language/say'
import type { Scope } from '@/lib/policy/scopes'
import { AskAdmin } from '../consent/ask-admin'
import { EarlierAccess } from '../consent/earlier-access'
import { NewProject, type NewProjectPlace } from '../consent/new-project'
import { PermissionList } from '../consent/permission-list'
import { type Asked, ReachPicker } from '../consent/reach-picker'
import { scopePermissions } from '../consent/scope-permissions'
import type { ConsentApp, PickerGroup } from '../consent/types'
import { Alert } from '../ui/alert'

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

/** What is asked for, and what can be chosen, within the question whether to connect a device. */
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
