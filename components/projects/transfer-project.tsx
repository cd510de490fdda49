import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'
import { SelectField } from '../ui/field'

/** Moves a project to another workspace that the reader administers. */
export function TransferProject({
  project,
  workspaces,
  action,
}: {
  project: { id: string; name: string }
  workspaces: { id: string; name: string }[]
  action: FormAction
}) {
  return (
    <Section
      title="Move project"
      description="To another workspace that you administer. Environments, variables, members and tokens move with it."
    >
      <div>
        <ConfirmAction
          trigger="Move project"
          triggerLook={{ variant: 'secondary' }}
          title={`Move ${project.name}?`}
          confirmLabel="Move project"
          done="Project moved"
          action={action}
          fields={{ projectId: project.id }}
        >
          <SelectField label="Workspace" name="workspaceId" required>
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <p>
            Roles, apps and rules of that workspace apply right away. Members of this one lose the project,
            unless they have a role in the project itself. Open invitations and app approvals for it end.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
