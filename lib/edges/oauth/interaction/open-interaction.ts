import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Client, InteractionResults, Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { oauthEngine } from '../engine/provider'

type Interaction = InstanceType<Provider['Interaction']>

/** An authorization request that waits for the person, with the app that made it. */
export type OpenInteraction = {
  interaction: Interaction
  client: Client
  /** The scopes asked for. */
  scopes: string[]
  /**
   * Hands the person's answer to the engine.
   * @returns the path where the engine goes on
   */
  finish: (result: InteractionResults) => Promise<string>
}

/**
 * Finds the interaction that this browser started under a uid.
 * @param cookieHeader it must hold the engine's interaction cookie, which is bound to the page's path
 * @returns undefined when it was finished, has expired, belongs to another browser or to a session that has ended
 */
export async function openInteraction(
  uid: string,
  cookieHeader: string | null | undefined,
): Promise<OpenInteraction | undefined> {
  const { provider } = await oauthEngine()
  const interaction = await provider.interactionDetails(...nodePair(cookieHeader)).catch(unlessLost)
  if (interaction?.uid !== uid) return undefined
  const client = await provider.Client.find(String(interaction.params.client_id)).catch(unlessLost)
  if (!client) return undefined
  return {
    interaction,
    client,
    scopes: String(interaction.params.scope ?? '')
      .split(' ')
      .filter(Boolean),
    async finish(result) {
      interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result }
      await interaction.persist()
      return new URL(interaction.returnTo).pathname
    },
  }
}

/** What the engine throws for an interaction that cannot go on, or an app that is gone, is no defect. */
function unlessLost(error: Error & { expose?: boolean }): undefined {
  if (!error.expose) throw error
}

/** The engine reads its cookies from a Node request; a page only has the header. */
function nodePair(cookieHeader: string | null | undefined): [IncomingMessage, ServerResponse] {
  const { host, protocol } = new URL(config().BASE_URL)
  const req = new IncomingMessage(new Socket())
  Object.assign(req, { method: 'GET', url: '/' })
  Object.assign(req.headers, {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(cookieHeader ? { cookie: cookieHeader } : {}),
  })
  return [req, new ServerResponse(req)]
}
