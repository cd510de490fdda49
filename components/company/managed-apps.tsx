import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmAction } from '../forms/confirm-action'
import { Section } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { LastUsed } from '../ui/last-used'
import { Cell, Head, Row, Table } from '../ui/table'

export type ShownManagedApp = {
  id: string
  clientId: string
  client: { name: string }
  scopes: string[]
  lastUsedAt: Date | null
}

/** The apps that act by the provider's word, each to be removed again. */
export function ManagedApps({
  workspaceId,
  apps,
  forbid,
}: {
  workspaceId: string
  apps: ShownManagedApp[]
  forbid: FormAction
}) {
  return (
    <Section
      title="Apps"
      description="They act here for the people your provider names."
      flush={apps.length > 0}
    >
      {apps.length === 0 ? (
        <EmptyState title="No apps yet">
          Let in the agents and apps your provider may send, one at a time.
        </EmptyState>
      ) : (
        <Table
          caption="Apps that act by the provider’s word"
          head={
            <>
              <Head>App</Head>
              <Head>Access</Head>
              <Head>Last used</Head>
              <Head srOnly>Actions</Head>
            </>
          }
        >
          {apps.map(({ id, clientId, client, scopes, lastUsedAt }) => (
            <Row key={id}>
              <Cell>
                <span className="wrap-anywhere grid min-w-32 font-medium">
                  {client.name}
                  <span className="font-mono text-[13px] text-muted">{clientId}</span>
                </span>
              </Cell>
              <Cell className="break-words font-mono text-[13px] max-sm:col-span-full">
                {scopes.join(', ')}
              </Cell>
              <Cell muted>
                <LastUsed at={lastUsedAt} />
              </Cell>
              <Cell numeric>
                <ConfirmAction
                  trigger="Remove"
                  triggerLabel={`Remove ${client.name}`}
                  triggerLook={{ size: 'small' }}
                  title={`Remove ${client.name}?`}
                  confirmLabel="Remove app"
                  done="App removed"
                  action={forbid}
                  fields={{ id: workspaceId, clientId }}
                >
                  <p>The tokens it got through the provider stop working right away.</p>
                </ConfirmAction>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  )
}
