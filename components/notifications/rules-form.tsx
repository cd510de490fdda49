'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { SubmitButton } from '../ui/submit-button'

export type ListedRules = {
  workspace: { id: string; name: string }
  rules: { type: string; inApp: boolean; email: boolean }[]
}

const events: Record<string, string> = {
  APP_AUTHORIZED: 'Someone lets an app access it',
  MEMBER_ADDED: 'Someone joins it',
}

const ways = [
  { way: 'inApp', label: 'Here' },
  { way: 'email', label: 'Email' },
] as const

/** How an admin wants to be told about the events of one workspace. Each kind is a field with the ways ticked. */
export function RulesForm({ workspace, rules, action }: ListedRules & { action: FormAction }) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form
      action={submit}
      aria-label={`Rules for ${workspace.name}`}
      className="grid gap-3 border-b px-4 py-4 last:border-b-0 sm:px-6"
    >
      <input type="hidden" name="workspaceId" value={workspace.id} />
      <FormOutcome state={state} saved={`Rules for ${workspace.name} saved`} />
      <h3 className="font-medium">{workspace.name}</h3>
      {rules.map((rule) => (
        // Ticked as last saved: React would fall back to what the page was first drawn with.
        <fieldset
          key={`${rule.type}-${rule.inApp}-${rule.email}-${state.turn}`}
          className="flex flex-wrap items-center gap-x-6 gap-y-2"
        >
          <legend className="float-left flex-1 text-muted max-sm:basis-full sm:min-w-56">
            {events[rule.type]}
          </legend>
          {ways.map(({ way, label }) => (
            <label key={way} className="flex items-center gap-2 text-sm">
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
      <div>
        <SubmitButton variant="secondary" size="small">
          Save <span className="sr-only">rules for {workspace.name}</span>
        </SubmitButton>
      </div>
    </form>
  )
}
