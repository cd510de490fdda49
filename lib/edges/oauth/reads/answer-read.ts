import type { IncomingMessage, ServerResponse } from 'node:http'
import { isOutage } from '@/lib/base/db/is-outage'
import { readFromReplicas } from '@/lib/base/db/replicas/read-scope'
import { log } from '@/lib/base/log/log'
import type { Engine } from '../engine/provider'
import { routes } from '../protocol/routes'
import { answerIntrospection } from './answer-introspection'
import { answerUserinfo } from './answer-userinfo'

/**
 * Answers what apps ask again and again, claims and introspection, where nothing about it is unusual: a request as every
 * client sends it, about a token that is good. Everything else, every refusal included, is the engine's to answer, which
 * then goes on from what was read here.
 * See decision 051.
 * @param route path below the mount, without a query
 * @returns whether it was answered; if not, the request is as it came
 */
export async function answerRead(
  engine: Engine,
  route: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  const answer = reads.get(route)
  if (!answer) return false
  for (const header of unusual) if (req.headers[header] !== undefined) return false
  try {
    const { result, fromReplica } = await readFromReplicas(() => answer(engine, req, res))
    // What a replica does not know may have been written a moment ago; the engine goes on from what the primary said.
    return result || (fromReplica && (await answer(engine, req, res)))
  } catch (error) {
    if (res.headersSent) throw error
    // A database that does not answer the engine meets as well, and has words for it. All else is a defect of ours that the
    // engine does not have.
    if (!isOutage(error)) log.error('a read had to be left to the engine', { name: route, error })
    return false
  }
}

const reads = new Map([
  [routes.userinfo, answerUserinfo],
  [routes.introspection, answerIntrospection],
])

/** What a page of another site, a holder of a key, and a client with an attestation send. */
const unusual = ['origin', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop'] as const
