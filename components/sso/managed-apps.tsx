import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton, ConfirmAction } from '../forms/action-button'
import { Section } from '../ui/card'
import { ClaimedDomain, type ShownClaim } from '../ui/claimed-domain'
import { EmptyState } from '../ui/empty-state'
import { LastUsed } from '../ui/expiry'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type ShownManagedApp = {
  id: string
  clientId: string
  client: { name: string }
  scopes: string[]
  lastUsedAt: Date | null
}

/** The SSO-managed apps of a workspace, each with a button to remove it. */
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
      title="SSO-managed apps"
      description="Your identity provider lets these apps act for users in this workspace."
      flush={apps.length > 0}
    >
      {apps.length === 0 ? (
        <EmptyState title="No apps yet">
          Allow the agents and apps that your identity provider manages.
        </EmptyState>
      ) : (
        <Table
          caption="SSO-managed apps"
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
                  <p>The tokens that the app got through SSO stop working immediately.</p>
                </ConfirmAction>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  )
}

type ShownMember = { userId: string; name: string; email: string; removedAt: Date }

/**
 * Lists the users whom admins removed. They cannot rejoin through SSO until an admin allows or invites them.
 * Renders nothing if there are none.
 */
export function RemovedMembers({
  workspaceId,
  members,
  allow,
}: {
  workspaceId: string
  members: ShownMember[]
  allow: FormAction
}) {
  if (members.length === 0) return null
  return (
    <Section
      title="Removed users"
      description="These users can’t rejoin by signing in through SSO. To let them rejoin, invite them or allow them here."
      flush
    >
      <Table
        caption="Removed users"
        head={
          <>
            <Head>User</Head>
            <Head>Removed</Head>
            <Head srOnly>Actions</Head>
          </>
        }
      >
        {members.map(({ userId, name, email, removedAt }) => (
          <Row key={userId}>
            <Cell>
              <span className="wrap-anywhere grid min-w-32 font-medium">
                <bdi>{name}</bdi>
                <bdi className="text-[13px] text-muted">{email}</bdi>
              </span>
            </Cell>
            <Cell muted>
              <Time at={removedAt} />
            </Cell>
            <Cell numeric>
              <ActionButton
                action={allow}
                fields={{ id: workspaceId, userId }}
                done="User allowed"
                look={{ size: 'small' }}
              >
                Allow <span className="sr-only">{name}</span>
              </ActionButton>
            </Cell>
          </Row>
        ))}
      </Table>
    </Section>
  )
}

/**
 * Shows the status of an SSO connection's email domain, with a button to check the domain. The connection
 * works only while the domain is verified.
 */
export function SsoDomain({
  workspaceId,
  named,
  proof,
  countsUntil,
  verify,
}: {
  workspaceId: string
  named: ShownClaim
  proof: { text: string; record: string }
  /**
   * The time at which the verification ends if the record stays missing. Null if the record has not gone
   * missing since the domain was verified.
   */
  countsUntil: Date | null
  verify: FormAction
}) {
  return (
    <Section
      title="Domain"
      description="SSO works once the domain is verified. We check the record again every day."
      footer={
        <div className="ml-auto">
          <ActionButton action={verify} fields={{ id: workspaceId }} done="Checked">
            Check now
          </ActionButton>
        </div>
      }
    >
      <ClaimedDomain
        named={named}
        proof={proof}
        ends={
          countsUntil && (
            <>
              The domain stays verified until <Time at={countsUntil} />.
            </>
          )
        }
      />
    </Section>
  )
}

/** A button that removes the identity provider of a workspace. */
export function RemoveProvider({ workspaceId, remove }: { workspaceId: string; remove: FormAction }) {
  return (
    <Section
      danger
      title="Remove provider"
      description="Ends SSO, the sessions that users started through it, and the access of SSO-managed apps."
    >
      <div>
        <ConfirmAction
          trigger="Remove provider"
          title="Remove the identity provider?"
          confirmLabel="Remove provider"
          done="Provider removed"
          action={remove}
          fields={{ id: workspaceId }}
        >
          <p>
            Sessions that other users started through this provider, and app access through it, will end
            immediately. If you signed in through it yourself, your current session ends within an hour.
            Members stay in the workspace.
          </p>
        </ConfirmAction>
      </div>
    </Section>
  )
}
