import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { Section } from '../ui/card'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

type Deleted = { id: string; name: string; deletedAt: Date; restorableUntil: Date }

/** The projects that can still be restored, and until when. */
export function DeletedProjects({ projects, restore }: { projects: Deleted[]; restore: FormAction }) {
  return (
    <Section
      title="Recently deleted"
      description="A restored project has its environments, variables and members again, but not its tokens."
    >
      <Table
        caption="Recently deleted projects"
        head={
          <>
            <Head>Project</Head>
            <Head>Deleted</Head>
            <Head>Removed for good</Head>
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
