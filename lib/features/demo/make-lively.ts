import type { DemoPlace } from './demo-place'
import { makeApp } from './make-app'
import { makeEnvironments } from './make-environments'
import { makeTrail } from './make-trail'
import { makeWebhook } from './make-webhook'

/**
 * Fills a workspace of the demo with what a month leaves behind: environments with variables, an app with its usage and
 * refusals, a webhook with deliveries, a token, an audit log. Nobody can use any of its credentials, and nothing is sent
 * anywhere.
 * See decision 212.
 */
export async function makeLively(place: DemoPlace): Promise<void> {
  await makeEnvironments(place)
  const clientId = await makeApp(place)
  const webhookId = await makeWebhook(place)
  await makeTrail(place, { clientId, webhookId })
}
