'use client'
import { useEffect, useRef } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { reasonIn, useAnnouncedAction } from '../forms/action-button'
import { WithoutScript } from '../forms/without-script'
import { Alert } from '../ui/alert'
import { SubmitButton } from '../ui/submit-button'

export type ListedRules = {
  workspace: { id: string; name: string }
  rules: { type: string; inApp: boolean; email: boolean }[]
}

const events: Record<string, string> = {
  APP_AUTHORIZED: 'App connected',
  MEMBER_ADDED: 'Member joined',
}

const ways = [
  { way: 'inApp', label: 'In app' },
  { way: 'email', label: 'Email' },
] as const

/**
 * Lets admins choose how they are notified about events in one workspace. For each kind of event, the form
 * has a field whose values are the selected channels. A change takes effect immediately. Without JavaScript,
 * a button submits the form.
 */
export function RulesForm({ workspace, rules, action }: ListedRules & { action: FormAction }) {
  const done = `Rules for ${workspace.name} saved`
  const [state, submit] = useAnnouncedAction(action, { done })
  const refused = reasonIn(state)
  const form = useRef<HTMLFormElement>(null)
  // Show the saved rules if the user changed a box before hydration, because the change had no effect.
  useEffect(() => form.current?.reset(), [])
  return (
    <form
      ref={form}
      action={submit}
      aria-label={`Rules for ${workspace.name}`}
      className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-6 gap-y-2 border-b px-4 py-3 last:border-b-0 md:grid-cols-[minmax(0,1fr)_auto]"
      onChange={({ currentTarget }) => currentTarget.requestSubmit()}
    >
      <input type="hidden" name="workspaceId" value={workspace.id} />
      <h3 title={workspace.name} className="truncate font-medium">
        <bdi>{workspace.name}</bdi>
      </h3>
      <div className="grid gap-1.5">
        {rules.map((rule) => (
          // The key changes with each save, because React would otherwise reset the boxes to the values of
          // the first render.
          <fieldset
            key={`${rule.type}-${rule.inApp}-${rule.email}-${state.turn}`}
            className="flex flex-wrap items-center gap-x-6 gap-y-1"
          >
            <legend className="float-left w-40 text-[13px] text-muted max-sm:w-full">
              {events[rule.type]}
            </legend>
            {ways.map(({ way, label }) => (
              <label key={way} className="flex min-h-6 items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  name={rule.type}
                  value={way}
                  defaultChecked={rule[way]}
                  className="tick"
                />
                {label}
              </label>
            ))}
          </fieldset>
        ))}
      </div>
      {refused && <Alert tone="danger" title={refused} />}
      {state.result && <WithoutScript tone="success" message={done} />}
      <noscript>
        <SubmitButton variant="secondary" size="small">
          Save <span className="sr-only">rules for {workspace.name}</span>
        </SubmitButton>
      </noscript>
    </form>
  )
}
