'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { type Scope, scopeTable } from '@/lib/policy/scopes'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { TextField } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { ProjectChoice } from './project-choice'

/** Approves an app, or changes its approval. */
export function ApprovalForm({
  place,
  offered,
  scopes,
  projects,
  chosen,
  endsOn,
  note,
  approved,
  action,
}: {
  /** Hidden inputs that identify the app and the workspace. */
  place: Record<string, string>
  offered: readonly Scope[]
  scopes: readonly string[]
  projects: { id: string; name: string }[]
  /** The approved projects; null for the whole workspace. */
  chosen: readonly string[] | null
  /** The current end date of the approval, and its note. */
  endsOn: string | undefined
  note: string | undefined
  approved: boolean
  action: FormAction
}) {
  const [{ fields, values, turn, ...state }, submit] = useFormAction(action)
  const kept = (name: string, before: readonly string[]) =>
    turn > 0 && state.result === undefined ? (values[name] ?? '').split('\n') : before
  return (
    <form action={submit}>
      <HiddenFields fields={place} />
      <Section
        title={approved ? 'Change approval' : 'Approve'}
        description="Maximum access in this workspace, for every user of the app."
        footer={<SubmitButton className="ml-auto">{approved ? 'Save approval' : 'Approve app'}</SubmitButton>}
      >
        <FormOutcome state={{ fields, values, turn, ...state }} saved="App approved" />
        <ChoiceGroup key={`scopes-${turn}`} legend="Allowed scopes" error={fields.scopes}>
          {offered.map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              name="scopes"
              value={scope}
              defaultChecked={kept('scopes', scopes).includes(scope)}
              hint={scopeTable[scope].sentence}
            />
          ))}
        </ChoiceGroup>
        <ProjectChoice
          key={`projects-${turn}`}
          projects={projects}
          chosen={kept('projectIds', chosen ?? [])}
          error={fields.projectIds}
        />
        <TextField
          label="Expires on"
          name="expiresAt"
          type="date"
          optional
          hint="The approval expires at the end of this day (UTC). Leave empty for no expiry."
          defaultValue={values.expiresAt ?? endsOn}
          error={fields.expiresAt}
          className="max-w-xs"
        />
        <TextField
          label="Note"
          name="word"
          optional
          maxLength={500}
          defaultValue={values.word ?? note}
          error={fields.word}
        />
      </Section>
    </form>
  )
}
