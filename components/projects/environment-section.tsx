import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/action-button'
import { Section } from '../ui/card'
import { Lock } from '../ui/icon'
import { ButtonLink } from '../ui/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { AddVariableForm, ChangeVariable, VariableValue } from './variable-forms'

export type VariableActions = { set: FormAction; reveal: FormAction<{ value: string }>; remove: FormAction }

/**
 * Shows an environment and its variables. The page does not contain the values. If `editable` is true, the
 * user can reveal each value separately, and add, change, and delete variables.
 */
export function EnvironmentSection({
  environment,
  variables,
  href,
  editable,
  actions,
}: {
  environment: { id: string; name: string }
  variables: { id: string; name: string; updatedAt: Date }[]
  /** The path of the environment's own page, which shows the history of the variables. */
  href: string
  /** Whether the user can view and change values. Viewers see only names. */
  editable: boolean
  actions: VariableActions
}) {
  const { name: place } = environment
  const below = editable ? 'History and settings' : 'History'
  return (
    <Section
      title={place}
      action={
        <ButtonLink href={href} size="small" aria-label={`${below} of ${place}`}>
          {below}
        </ButtonLink>
      }
      flush
    >
      {variables.length === 0 ? (
        <p className="px-4 py-5 text-muted">No variables yet.</p>
      ) : (
        <Table
          caption={`Variables of ${place}`}
          head={
            <>
              <Head>Name</Head>
              <Head>Value</Head>
              <Head>Changed</Head>
              {editable && <Head srOnly>Actions</Head>}
            </>
          }
        >
          {variables.map(({ id, name, updatedAt }) => {
            const fields = { environmentId: environment.id, name }
            return (
              <Row key={id}>
                <Cell>
                  <span className="block min-w-36 break-all font-mono text-[13px]">{name}</span>
                </Cell>
                <Cell className="max-sm:col-span-full">
                  {editable ? (
                    <VariableValue key={updatedAt.getTime()} fields={fields} action={actions.reveal} />
                  ) : (
                    <span className="inline-flex items-center gap-1.5 text-[13px] text-muted">
                      <Lock className="size-3.5" /> Hidden
                    </span>
                  )}
                </Cell>
                <Cell muted>
                  <Time at={updatedAt} />
                </Cell>
                {editable && (
                  <Cell numeric>
                    <div className="flex justify-end gap-2">
                      <ChangeVariable key={updatedAt.getTime()} fields={fields} action={actions.set} />
                      <ConfirmAction
                        trigger="Delete"
                        triggerLook={{ size: 'small' }}
                        triggerLabel={`Delete ${name} of ${place}`}
                        title={`Delete ${name}?`}
                        confirmLabel="Delete variable"
                        done="Variable deleted"
                        action={actions.remove}
                        fields={fields}
                      >
                        <p>
                          Deletes the variable and its value from {place} immediately. Its name stays in the
                          history.
                        </p>
                      </ConfirmAction>
                    </div>
                  </Cell>
                )}
              </Row>
            )
          })}
        </Table>
      )}
      {editable && <AddVariableForm environment={environment} action={actions.set} />}
    </Section>
  )
}
