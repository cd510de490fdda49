import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import type { ListedPlace } from '../lists/place-list'
import { Section } from '../ui/card'
import { SelectField } from '../ui/field'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

type ListedProject = { id: string; name: string; description: string; createdAt: Date }

/** Returns a function that converts a project to a row of a PlaceList. @param home the workspace's URL */
export const placeOfProject =
  (home: string) =>
  ({ id, name, description, createdAt }: ListedProject): ListedPlace => ({
    id,
    name,
    href: `${home}/projects/${id}`,
    menu: { kind: 'project', address: `${home}/projects/${id}` },
    about: description,
    aside: (
      <span className="max-sm:hidden">
        Created <Time at={createdAt} />
      </span>
    ),
  })

type Deleted = { id: string; name: string; deletedAt: Date; restorableUntil: Date }

/** Lists deleted projects, each with the time of its permanent deletion and a button to restore it. */
export function DeletedProjects({ projects, restore }: { projects: Deleted[]; restore: FormAction }) {
  return (
    <Section
      title="Recently deleted"
      description="Restoring a project restores its environments, variables, and members, but not its tokens."
    >
      <Table
        caption="Recently deleted projects"
        head={
          <>
            <Head>Project</Head>
            <Head>Deleted</Head>
            <Head>Permanently deleted</Head>
            <Head srOnly>Actions</Head>
          </>
        }
      >
        {projects.map(({ id, name, deletedAt, restorableUntil }) => (
          <Row key={id}>
            <Cell>
              <bdi className="font-medium">{name}</bdi>
            </Cell>
            <Cell>
              <Time at={deletedAt} />
            </Cell>
            <Cell>
              <Time at={restorableUntil} />
            </Cell>
            <Cell numeric>
              <ActionButton action={restore} fields={{ id }} look={{ size: 'small' }} done="Project restored">
                Restore <span className="sr-only">{name}</span>
              </ActionButton>
            </Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}

/** Lets users move a project to another workspace that they administer. */
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
      title="Transfer project"
      description="Move this project to another workspace that you administer, with its environments, variables, members, and tokens."
    >
      <div>
        <ConfirmAction
          trigger="Transfer project"
          triggerLook={{ variant: 'secondary' }}
          title={`Transfer ${project.name}?`}
          confirmLabel="Transfer project"
          done="Project transferred"
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
            The new workspace’s roles, apps, and policies apply immediately. Members of this workspace lose
            access unless they have a project role. Open invitations and app approvals for the project will be
            canceled.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
