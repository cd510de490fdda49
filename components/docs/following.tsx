import { TextAnchor } from '../ui/text-anchor'
import { CodeBlock } from './code-block'
import { Bullets, Code, P } from './prose'

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
