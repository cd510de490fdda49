'use client'

import Script from 'next/script'
import { type ReactNode, useId } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { PickerGroup, PickerOption } from '../consent/types'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Avatar } from '../ui/avatar'
import { buttonClass } from '../ui/button'
import { Section } from '../ui/card'
import { FieldError } from '../ui/field'
import { Search } from '../ui/icon'
import { Input } from '../ui/input'

/**
 * A form to change the resources that an app can access. `workspaces` is undefined if no scope of the app
 * requires workspaces, and `projects` is undefined if no scope requires projects.
 */
export function SelectionForm({
  id,
  scopes,
  workspaces,
  projects,
  action,
}: {
  id: string
  /**
   * The scopes that the page shows. If the app's scopes have changed when the user saves, the server rejects
   * the form.
   */
  scopes: readonly string[]
  workspaces?: PickerGroup[] | undefined
  projects?: PickerGroup[] | undefined
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
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
      <Section title="Access" description="Saved changes take effect immediately.">
        <FormOutcome state={state} saved="Access changed" />
        {workspaces && (
          <ResourcePicker
            key={`workspaces-${turn}`}
            label="Workspaces"
            name="workspaceIds"
            groups={kept(workspaces, values.workspaceIds)}
            empty="You aren’t a member of any workspace."
          />
        )}
        {projects && (
          <ResourcePicker
            key={`projects-${turn}`}
            label="Projects"
            name="projectIds"
            groups={kept(projects, values.projectIds)}
            empty="You don’t have any projects."
          />
        )}
      </Section>
      <SaveBar state={state} />
      <Script src="/picker.js" />
    </form>
  )
}

/** The minimum number of checkboxes for which a picker has a search field. */
const searchFrom = 6

/**
 * A group of native checkboxes. `label` names the group ("Workspaces"). Each box is labeled with the name of
 * a resource and sends the resource's ID under `name`. The search field, "Select all", and the count require
 * components/page-scripts/picker.ts, which finds them by their data attributes. `empty` is shown instead of
 * the checkboxes if there are no resources.
 */
function ResourcePicker({
  label,
  name,
  groups,
  error,
  empty,
}: {
  label: string
  name: string
  groups: PickerGroup[]
  error?: string | undefined
  empty: ReactNode
}) {
  const id = useId()
  const options = groups.flatMap((group) => group.options)
  if (options.length === 0) {
    return (
      <fieldset>
        <legend className="mb-2 font-semibold text-sm">{label}</legend>
        <div className="rounded-control border border-dashed bg-background px-3.5 py-3 text-muted text-sm">
          {empty}
        </div>
      </fieldset>
    )
  }
  const selected = options.filter((option) => option.selected).length
  const open = options.filter((option) => !option.closed).length
  return (
    <fieldset data-picker aria-describedby={error ? `${id}-error` : undefined} className="min-w-0">
      <legend className="float-left py-1 font-semibold text-sm">{label}</legend>
      <div className="needs-script flex items-center justify-end gap-2">
        <span data-picker-count aria-live="polite" className="text-[13px] text-muted tabular-nums">
          {`${selected} of ${open} selected`}
        </span>
        <button
          type="button"
          data-picker-all
          className={buttonClass({ size: 'small', variant: 'quiet', className: '-mr-2 w-20 text-link' })}
        >
          {selected === open && open > 0 ? 'Clear all' : 'Select all'}
        </button>
      </div>
      <div
        className={`clear-both mt-1 overflow-hidden rounded-control border ${error ? 'border-danger' : ''}`}
      >
        {options.length >= searchFrom && (
          <div className="needs-script relative border-b">
            <Search className="absolute top-3 left-3 size-4 text-muted" />
            <Input
              type="search"
              data-picker-search
              aria-label={`Search ${label.toLowerCase()}`}
              placeholder="Search"
              autoComplete="off"
              className="h-10 rounded-none border-0 bg-transparent pl-9 focus-visible:-outline-offset-2"
            />
          </div>
        )}
        <div className="relative max-h-56 overflow-y-auto overscroll-contain">
          {groups.map((group) => (
            <Group key={group.heading ?? label} group={group} name={name} id={`${id}-${group.heading}`} />
          ))}
          <p data-picker-none hidden className="px-3.5 py-3 text-muted text-sm">
            No matches.
          </p>
        </div>
      </div>
      {error && (
        <div className="mt-1.5">
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      )}
    </fieldset>
  )
}

function Group({ group, name, id }: { group: PickerGroup; name: string; id: string }) {
  const rows = group.options.map((option) => <Option key={option.id} option={option} name={name} />)
  if (!group.heading) return <div>{rows}</div>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a nested fieldset would need a legend, which cannot be sticky
    <div role="group" aria-labelledby={id} data-picker-group>
      <p id={id} className="sticky top-0 border-b bg-raised px-3.5 py-1.5 font-medium text-[13px] text-muted">
        {group.heading}
      </p>
      {rows}
    </div>
  )
}

function Option({ option, name }: { option: PickerOption; name: string }) {
  const id = useId()
  return (
    <div data-picker-option className="relative flex min-h-11 items-center gap-3 px-3.5 py-2 hover:bg-hover">
      <input
        id={id}
        type="checkbox"
        name={name}
        value={option.id}
        defaultChecked={option.selected}
        disabled={option.closed}
        aria-describedby={option.role || option.note ? `${id}-role` : undefined}
        className="tick relative z-1"
      />
      {option.logoUrl && <Avatar name={option.name} src={option.logoUrl} size="small" shape="square" />}
      {/* The label covers the whole row as a click target, and its text is only the name. The full name is visible, because two names can have the same beginning. */}
      <label htmlFor={id} className="wrap-anywhere min-w-0 flex-1 text-[15px] after:absolute after:inset-0">
        {option.name}
      </label>
      {(option.role || option.note) && (
        <span id={`${id}-role`} className="shrink-0 text-right text-[13px] text-muted">
          {[option.closed ? undefined : option.role, option.note].filter(Boolean).join(', ')}
        </span>
      )}
    </div>
  )
}
