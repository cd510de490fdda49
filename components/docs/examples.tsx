import { defaultPageSize, maxPageSize } from '@/lib/base/db/paging'
import { charactersPerPoint, listSizes, points, wholeLists } from '@/lib/edges/graphql/limits/check-cost'
import { appWebhookMessageSnippet } from '@/lib/features/docs/snippets/integrations'
import { appWebhookEvents } from '@/lib/features/webhooks/events'
import { TextAnchor } from '../ui/button'
import { CodeBlock } from './code-block'
import { FactsTable } from './facts-table'
import { Bullets, Code, DocsSection, Fold, P } from './prose'

/** Documents how to add an app's own webhooks, their events, and the payload of a message. */
export const AppWebhookDocs = () => (
  <DocsSection id="webhooks" title="Webhooks">
    <P>
      An app can have up to five webhooks for its events in all workspaces. Add them in the app’s settings, or
      call <TextAnchor href="/docs/reference/webhooks#webhookCreate">webhookCreate</TextAnchor> with{' '}
      <Code>clientId</Code>. Signatures, retries, and redelivery work like{' '}
      <TextAnchor href="/docs/webhooks">those of a workspace</TextAnchor>.
    </P>
    <FactsTable
      caption="Events of an app"
      columns={['Event', 'When']}
      rows={Object.entries(appWebhookEvents).map(([name, when]) => ({
        id: name.replace('.', '-'),
        cells: [<Code key="name">{name}</Code>, when],
      }))}
    />
    <CodeBlock title="The body of a POST" code={appWebhookMessageSnippet()} />
    <P>
      <Code>userId</Code> is the <Code>sub</Code> of the user who granted the access. <Code>workspaceId</Code>{' '}
      is the ID of the workspace that installed your app, manages it with SSO, or revoked all its access.{' '}
      <Code>installationId</Code> is the installation’s ID. Fields that don’t apply are null. The message
      doesn’t include who made the change. If a user deletes their account or a workspace is deleted, no
      message is sent, and your next request is rejected.
    </P>
  </DocsSection>
)

/**
 * Documents when a delivery succeeds, how failed deliveries are retried, and how long messages are kept. Also
 * documents duplicate messages and the rotation of secrets.
 */
export const WebhookDelivery = () => (
  <DocsSection id="delivery" title="Delivery">
    <Bullets>
      <li>
        A delivery succeeds if your server responds with a 2xx status within 15 seconds. Redirects aren’t
        followed. <Code>410</Code> disables the webhook.
      </li>
      <li>
        After any other response, the message is retried up to ten times over three to six hours. The first
        retry is after 10 to 20 seconds, and each delay is about twice as long as the previous one. If every
        attempt fails, the delivery is marked as failed. You can send it again from the webhook’s page or with{' '}
        <Code>webhookDeliveryResend</Code>.
      </li>
      <li>
        A message can arrive twice or out of order. All attempts to deliver a message have the same{' '}
        <Code>webhook-id</Code>. Store the IDs that you have processed.
      </li>
      <li>
        <Code>webhookSecretRotate</Code> returns a new secret. For 24 hours, messages have a signature from
        each secret, separated by a space.
      </li>
      <li>
        Messages and the beginning of each response are kept for 30 days. To read them, query{' '}
        <Code>webhookDeliveries</Code>.
      </li>
    </Bullets>
  </DocsSection>
)

/** Documents how to start, read, and resume a subscription. */
export function Following({ example }: { example: string }) {
  return (
    <>
      <P>
        To subscribe, send a request with the header <Code>Accept: text/event-stream</Code>. The response is a
        stream of server-sent events: a <Code>next</Code> event for each result, and a <Code>complete</Code>{' '}
        event at the end. Libraries call this protocol GraphQL over SSE in distinct connections mode. You can
        subscribe to new{' '}
        <TextAnchor href="/docs/reference/notifications#notificationCreated">notifications</TextAnchor>, a
        workspace’s <TextAnchor href="/docs/reference/audit-log#auditLogCreated">audit log</TextAnchor>, and
        the deliveries of a{' '}
        <TextAnchor href="/docs/reference/webhooks#webhookDeliveryUpdated">webhook</TextAnchor>.
      </P>
      <CodeBlock title="Follow notifications" code={example} />
      <Bullets>
        <li>
          Most events arrive within one second, and all of them within a few seconds. Events that you missed
          are sent only if you set <Code>after</Code> to the ID of the last event that you received.
        </li>
        <li>
          The token and your access are checked before each event and every few seconds. If the token is
          revoked or your role is removed, the stream sends the error that a query would return, followed by{' '}
          <Code>complete</Code>. An access token expires after one hour. Subscribe again with a new token.
        </li>
        <li>
          If a stream ends without <Code>complete</Code>, the connection was lost, for example because the
          server restarted. Subscribe again with <Code>after</Code>. Each result counts as one request toward
          your rate limit.
        </li>
      </Bullets>
    </>
  )
}

/**
 * Documents how an app reads the user's selection, and what happens if the user changes the selection or
 * revokes the app.
 */
export const SelectionDocs = () => (
  <DocsSection id="selected" title="Read the selection">
    <P>
      The token doesn’t contain the user’s selection. To read the selection, query the API:{' '}
      <Code>{'{ me { workspaces { id name } } }'}</Code> lists the selected workspaces (with a{' '}
      <Code>workspace:*</Code> scope), and <Code>{'{ projects { edges { node { id name } } } }'}</Code> lists
      every project that the token can access. If the user changes the selection, existing tokens use the new
      selection from the next request. Lists then contain only the selected resources, and other resources
      return <Code>RESOURCE_NOT_SHARED</Code>. If the user revokes the app, its tokens stop working: API
      requests return <Code>UNAUTHENTICATED</Code>, and refreshing returns <Code>invalid_grant</Code>.{' '}
      <TextAnchor href="/docs/webhooks">Webhooks</TextAnchor> of the selected workspaces receive{' '}
      <Code>app.revoked</Code>.
    </P>
  </DocsSection>
)

const example = { size: 20, fields: 2 }
const row = 2 * points.object + example.fields * points.scalar

/**
 * Documents how many points a query or a response costs. The numbers are the constants with which the server
 * counts.
 */
export const PointPrices = () => (
  <>
    <Bullets>
      <li>
        An object costs {points.object} points, and a scalar costs {points.scalar}. The contents of a list are
        counted once per row, so the costs of nested lists multiply. A fragment is counted each time it’s
        used.
      </li>
      <li>
        For a connection, the number of rows is <Code>first</Code> or <Code>last</Code> (default:{' '}
        {defaultPageSize}). A list without pages counts as {maxPageSize} rows, except for the lists below.
      </li>
      <li>
        <Code>__schema</Code> costs {points.schema.toLocaleString('en-GB')} points, and <Code>__type</Code>{' '}
        costs {points.type}.
      </li>
      {[...wholeLists].map((field) => (
        <li key={field}>
          <Code>{field}</Code> costs {points.whole.toLocaleString('en-GB')} points in addition to the rows on
          its page, because the server always reads the whole list.
        </li>
      ))}
      <li>
        The cost of a response is counted in the same way, but with the actual number of rows. Text costs one
        additional point for every {charactersPerPoint} characters. A field that fails costs {points.error}{' '}
        points, and {points.place} more for each additional place where the query requests it.
      </li>
    </Bullets>
    <P>
      <Code>{`{ projects(first: ${example.size}) { edges { node { id name } } } }`}</Code> costs{' '}
      {points.object + example.size * row} points: {points.object} for the connection, and {example.size}{' '}
      times {row} for an edge, its node, and two scalars.
    </P>
    <Fold title="Lists with other assumed sizes">
      <FactsTable
        caption="Lists with other assumed sizes"
        columns={['List', 'Default rows']}
        rows={Object.entries(listSizes)
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([field, rows]) => ({
            id: field.toLowerCase().replace('.', '-'),
            cells: [<Code key="field">{field}</Code>, String(rows)],
          }))}
      />
    </Fold>
  </>
)
