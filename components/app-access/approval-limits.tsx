import { type Scope, scopeTable } from '@/lib/policy/scopes'
import { Badge } from '../ui/badge'
import { Checkbox, ChoiceGroup } from '../ui/choice'
import { TextField } from '../ui/field'
import { ProjectChoice } from './project-choice'
import { adminSentence } from './scope-sentences'

/** The options and the initial values of the fields that `ApprovalLimits` shows. */
export type Limits = {
  offered: readonly Scope[]
  scopes: readonly string[]
  projects: readonly { id: string; name: string }[]
  /** The number of projects that are not listed because there are too many. */
  moreProjects: number
  /** The approved projects; null for the whole workspace. */
  chosen: readonly string[] | null
  /** The current approval's end date. Undefined if there is none, or if the approval has expired. */
  endsOn: string | undefined
  /** The current approval's note. Undefined if there is none. */
  note: string | undefined
}

/** The state of the form that contains the fields. */
type State = {
  fields: Record<string, string>
  values: Record<string, string>
  turn: number
  result?: unknown
}

/** The fields of an approval: its limits (scopes, projects, and end date) and a note. */
export function ApprovalLimits({
  limits: { offered, scopes, projects, moreProjects, chosen, endsOn, note },
  state: { fields, values, turn, result },
}: {
  limits: Limits
  state: State
}) {
  const kept = (name: string, before: readonly string[]) =>
    turn > 0 && result === undefined ? (values[name] ?? '').split('\n') : before
  return (
    <>
      <ChoiceGroup
        key={`scopes-${turn}`}
        legend="Allowed scopes"
        hint="The app never gets more access than the user’s own role allows."
        error={fields.scopes}
      >
        {offered.map((scope) => (
          <Checkbox
            key={scope}
            label={scope}
            name="scopes"
            value={scope}
            defaultChecked={kept('scopes', scopes).includes(scope)}
            hint={adminSentence(scope)}
            aside={scopeTable[scope].dangerous ? <Badge tone="danger">Full control</Badge> : undefined}
          />
        ))}
      </ChoiceGroup>
      <ProjectChoice
        key={`projects-${turn}`}
        projects={projects}
        more={moreProjects}
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
    </>
  )
}
