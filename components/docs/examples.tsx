import { defaultPageSize, maxPageSize } from '@/lib/base/db/paging'
import { charactersPerPoint, listSizes, points, wholeLists } from '@/lib/edges/graphql/limits/check-cost'
import { appWebhookMessageSnippet } from '@/lib/features/docs/snippets/integrations'
import { appWebhookEvents } from '@/lib/features/webhooks/events'
import { TextAnchor } from '../ui/button'
import { CodeBlock } from './code-block'
import { FactsTable } from './facts-table'
import { Bullets, Code, DocsSection, P } from './prose'

/** What an app's own endpoints are told. */
export const AppWebhookDocs = () => (
  <DocsSection id="webhooks" title="Webhooks">
    <P>
      Up to five addresses of your app are told what concerns it, wherever it happens. Set them in the app’s
      settings, or call <TextAnchor href="/docs/reference/webhooks#webhookCreate">webhookCreate</TextAnchor>{' '}
      with <Code>clientId</Code>. They are signed, tried again and sent once more like{' '}
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
      <Code>userId</Code> is the <Code>sub</Code> of the person whose permission it is;{' '}
      <Code>workspaceId</Code> is the workspace that installed your app, has its provider send it, or was
      taken back for everybody; <Code>installationId</Code> is the installation. What does not apply is null.
      Who did it is not told. A person who deletes their account, and a workspace that is deleted, end what
      was allowed without a message: your next request is refused.
    </P>
  </DocsSection>
)

/** When a message counts as delivered, and what happens when it does not. */
export const WebhookDelivery = () => (
  <DocsSection id="delivery" title="Delivery">
    <Bullets>
      <li>
        Any 2xx within 15 seconds is a success; a redirect is not followed. <Code>410</Code> switches the
        webhook off.
      </li>
      <li>
        Anything else is tried again: after 10 seconds, then twice as long each time, ten times in about three
        hours. Then it has failed, and can be sent again from its page or by <Code>webhookRedeliver</Code>.
      </li>
      <li>
        A message may come twice, and messages may come out of order. All attempts at one have the same{' '}
        <Code>webhook-id</Code>: keep those you have handled.
      </li>
      <li>
        <Code>webhookSecretRotate</Code> gives a new secret. For a day messages carry a signature of each,
        separated by a space, so that you can change over.
      </li>
      <li>
        What was sent, and the beginning of what came back, is kept for 30 days (
        <Code>webhookDeliveries</Code>).
      </li>
    </Bullets>
  </DocsSection>
)

/** How a subscription is asked for, read and taken up again. */
export function Following({ example }: { example: string }) {
  return (
    <>
      <P>
        A subscription is a request like any other, with the header <Code>Accept: text/event-stream</Code>. It
        is answered by a stream of server-sent events: <Code>next</Code> with an answer each, and{' '}
        <Code>complete</Code> when no more will come. Libraries call it GraphQL over SSE, in distinct
        connections mode. What can be followed: new{' '}
        <TextAnchor href="/docs/reference/notifications#notificationCreated">notifications</TextAnchor>, a
        workspace’s <TextAnchor href="/docs/reference/audit-log#auditLogCreated">audit log</TextAnchor> and
        what a <TextAnchor href="/docs/reference/webhooks#webhookDeliveryUpdated">webhook</TextAnchor> is
        sent.
      </P>
      <CodeBlock title="Follow notifications" code={example} />
      <Bullets>
        <li>
          Most of it arrives within a second, all of it within a few seconds more. Nothing of before is sent,
          unless <Code>after</Code> names the last one you have.
        </li>
        <li>
          Token and rights are looked at again before anything is sent, and every few seconds: a token that is
          revoked or a role that is lost ends the stream with the error that a query would get, and{' '}
          <Code>complete</Code>. An access token ends after an hour; subscribe again with the next one.
        </li>
        <li>
          A stream that ends without <Code>complete</Code> broke off: the server was restarted, say. Subscribe
          again with <Code>after</Code>. Each answer counts as a request.
        </li>
      </Bullets>
    </>
  )
}

/** How an app learns which workspaces and projects it was given, and what changes them. */
export const WhatWasSelected = () => (
  <DocsSection id="selected" title="What was selected">
    <P>
      The API says it, not the token. <Code>{'{ me { workspaces { id name } } }'}</Code> lists the selected
      workspaces (with a <Code>workspace:*</Code> scope), and{' '}
      <Code>{'{ projects { edges { node { id name } } } }'}</Code> every project the token reaches. When the
      person changes the selection, the same tokens reach the new one from the next request on: lists shrink
      or grow, and what is no longer shared answers <Code>RESOURCE_NOT_SHARED</Code>. When the person revokes
      the app, every token of it is dead: <Code>UNAUTHENTICATED</Code>, and <Code>invalid_grant</Code> on
      refresh. A <TextAnchor href="/docs/webhooks">webhook</TextAnchor> of a workspace that was selected hears
      of that as <Code>app.revoked</Code>.
    </P>
  </DocsSection>
)

const example = { size: 20, fields: 2 }
const row = 2 * points.object + example.fields * points.scalar

/** How the points of a query and of an answer are counted, from the table that counts them. */
export const PointPrices = () => (
  <>
    <Bullets>
      <li>
        An object is {points.object} points, a scalar {points.scalar}. What is in a list counts once for each
        of its rows, so lists in lists multiply. Fragments count where they are spread.
      </li>
      <li>
        A connection has as many rows as <Code>first</Code> or <Code>last</Code> say, {defaultPageSize} when
        neither does. A list without pages counts as {maxPageSize} rows, whatever is in it, except for those
        below.
      </li>
      <li>
        <Code>__schema</Code> is {points.schema.toLocaleString('en-GB')} points, <Code>__type</Code>{' '}
        {points.type}.
      </li>
      {[...wholeLists].map((field) => (
        <li key={field}>
          <Code>{field}</Code> is {points.whole.toLocaleString('en-GB')} points beside its page: all of it is
          read for any page.
        </li>
      ))}
      <li>
        An answer is counted the same way by the rows that are there, and a text is a point more for every{' '}
        {charactersPerPoint} characters. A field that fails is {points.error} points, as its error is in the
        answer, and {points.place} more for each further place of the query that asks for it.
      </li>
    </Bullets>
    <P>
      <Code>{`{ projects(first: ${example.size}) { edges { node { id name } } } }`}</Code> costs{' '}
      {points.object + example.size * row} points: {points.object} for the connection, and {example.size}{' '}
      times {row} for an edge, its node and two scalars.
    </P>
    <FactsTable
      caption="Lists that are priced for other sizes"
      columns={['List', 'Rows, unless the query says']}
      rows={Object.entries(listSizes).map(([field, rows]) => ({
        id: field.toLowerCase().replace('.', '-'),
        cells: [<Code key="field">{field}</Code>, String(rows)],
      }))}
    />
  </>
)
