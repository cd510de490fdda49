'use client'
import Script from 'next/script'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import type { PickerGroup } from '../consent/types'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { Section } from '../ui/card'
import { ResourcePicker } from './resource-picker'

/** Changes the workspaces and projects an app can reach; a group is absent when no scope of the app asks for it. */
export function SelectionForm({
  id,
  scopes,
  workspaces,
  projects,
  action,
}: {
  id: string
  /** What the page says the app may do there. */
  scopes: readonly string[]
  workspaces?: PickerGroup[] | undefined
  projects?: PickerGroup[] | undefined
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  const { values, turn, result } = state
  const refused = turn > 0 && result === undefined
  const kept = (groups: PickerGroup[], typed: string | undefined): PickerGroup[] => {
    if (!refused) return groups
    const ids = new Set((typed ?? '').split('\n'))
    return groups.map((group) => ({
      ...group,
      options: group.options.map((option) => ({ ...option, selected: ids.has(option.id) })),
    }))
  }
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="shownScopes" value={scopes.join(' ')} />
      <Section title="What it can reach" description="Changes apply right away.">
        <FormOutcome state={state} saved="Access changed" />
        {workspaces && (
          <ResourcePicker
            key={`workspaces-${turn}`}
            label="Workspaces"
            name="workspaceIds"
            groups={kept(workspaces, values.workspaceIds)}
            empty="You are in no workspace."
          />
        )}
        {projects && (
          <ResourcePicker
            key={`projects-${turn}`}
            label="Projects"
            name="projectIds"
            groups={kept(projects, values.projectIds)}
            empty="You have no projects."
          />
        )}
      </Section>
      <SaveBar state={state} />
      <Script src="/picker.js" />
    </form>
  )
}
