import { Bullets, Code, DocsSection } from './prose'

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
