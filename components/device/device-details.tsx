import type { ComponentProps } from 'react'
import type { Scope } from '@/lib/policy/scopes'
import { AskAdmin } from '../consent/ask-admin'
import { EarlierAccess } from '../consent/earlier-access'
import { PermissionList } from '../consent/permission-list'
import { ResourcePicker } from '../consent/resource-picker'
import { scopePermissions } from '../consent/scope-permissions'
import type { ConsentApp, PickerGroup } from '../consent/types'
import { Alert } from '../ui/alert'

type View = Pick<ComponentProps<typeof EarlierAccess>, 'kept' | 'lost'> & {
  app: ConsentApp
  scopes: readonly Scope[]
  workspaces?: PickerGroup[]
  projects?: PickerGroup[]
  askable: { id: string; name: string; decides: boolean }[]
}

/** What is asked for, and the pickers, within the question whether to connect a device. */
export function DeviceDetails({
  view,
  refused,
  asked,
}: {
  view: View
  refused?: string | undefined
  asked?: string | undefined
}) {
  const { app, scopes, workspaces, projects } = view
  const nothing = refused === 'nothing-selected' ? 'Select at least one, or deny.' : undefined
  return (
    <>
      {nothing && (
        <Alert tone="danger" title="Nothing is selected">
          Without a selection {app.name} would have no access.
        </Alert>
      )}
      {refused === 'selection' && (
        <Alert tone="danger" title="Something you selected is no longer there, or you lost access to it." />
      )}
      {scopes.length > 0 && <PermissionList app={app} permissions={scopePermissions(scopes)} />}
      <EarlierAccess appName={app.name} kept={view.kept} lost={view.lost} />
      {workspaces && (
        <ResourcePicker
          label="Workspaces"
          name="workspace"
          groups={workspaces}
          error={nothing}
          empty={`You have no workspace that ${app.name} could use.`}
        />
      )}
      {projects && (
        <ResourcePicker
          label="Projects"
          name="project"
          groups={projects}
          error={workspaces ? undefined : nothing}
          empty={`You have no project that ${app.name} could use. Create one, then come back to this page.`}
        />
      )}
      <AskAdmin places={view.askable} outcome={asked} />
      {(workspaces || projects) && <script src="/picker.js" defer />}
    </>
  )
}
