import type { IncomingMessage, ServerResponse } from 'node:http'
import inject, { type DispatchFunc } from 'light-my-request'
import { type Config, config } from '@/lib/base/config/env'
import { isOutage } from '@/lib/base/db/database-errors'
import { type Api, registeredApis } from '@/lib/features/resources/apis'
import { registeredAppScopes } from '@/lib/policy/app-status'
import { proofAlgs } from '@/lib/policy/proof-of-possession'
import { allScopes, requestableScopes } from '@/lib/policy/scopes'
import type { Engine } from '../engine/provider'
import { callEngine, issuer, protectedResources } from '../protocol/routes'

/** A response of oidc-provider that is the same for all clients, as bytes. */
type Document = { type: string; body: Buffer }

type Documents = Map<string, Promise<Document>>
const written = new WeakMap<Engine, { settings: Config; apis: readonly Api[]; documents: Documents }>()

/** A function that completes a document with the values that oidc-provider omits. */
type Completion = (document: Record<string, unknown>, apis: readonly Api[]) => Record<string, unknown>

/**
 * Returns a document of oidc-provider, completed by `complete` if there is such a function. The document is
 * cached until the signing keys, the settings, or the registered APIs change. Changes to the APIs are
 * detected only by calls with `complete`.
 * @throws Error if oidc-provider does not answer with 200
 */
async function documentOf(engine: Engine, path: string, complete?: Completion): Promise<Document> {
  const settings = config()
  const last = written.get(engine)
  const apis = complete ? await knownApis(last?.apis ?? none) : (last?.apis ?? none)
  const isCurrent = last?.settings === settings && last.apis === apis
  const documents: Documents = isCurrent ? last.documents : new Map()
  written.set(engine, { settings, apis, documents })
  const name = `${path} ${complete?.name ?? ''}`
  const known = documents.get(name)
  if (known) return known
  const handler = (req: IncomingMessage, res: ServerResponse) => callEngine(engine, path, req, res)
  const document = inject(handler as DispatchFunc, { method: 'GET', url: path }).then((answer) => {
    if (answer.statusCode !== 200)
      throw new Error(`oidc-provider answered ${path} with ${answer.statusCode}.`)
    const type = String(answer.headers['content-type'])
    return {
      type,
      body: complete ? Buffer.from(JSON.stringify(complete(answer.json(), apis))) : answer.rawPayload,
    }
  })
  document.catch(() => documents.delete(name))
  documents.set(name, document)
  return document
}

const none: readonly Api[] = []

/**
 * Returns the registered APIs, or the last known APIs during a database outage, because clients need the
 * metadata even then.
 */
const knownApis = (last: readonly Api[]): Promise<readonly Api[]> =>
  registeredApis().catch((error) => {
    if (!isOutage(error)) throw error
    return last
  })

/**
 * Answers GET requests for the metadata (RFC 8414) or the key set (RFC 7517), which any origin can read. The
 * documents are cached, because every client requests them when it starts.
 * @param path the path below the mount of oidc-provider
 * @param complete completes the document; its name is part of the cache key
 */
export async function sendDocument(
  engine: Engine,
  path: string,
  req: IncomingMessage,
  res: ServerResponse,
  complete?: Completion,
): Promise<void> {
  const { type, body } = await documentOf(engine, path, complete)
  res.writeHead(200, {
    'content-type': type,
    'content-length': body.length,
    'access-control-allow-origin': req.headers.origin ?? '*',
    vary: 'Origin',
  })
  res.end(body)
}

/**
 * Returns the metadata of a protected resource of this service (RFC 9728 section 2). The metadata omits
 * `offline_access` and the admin scopes, because agents should request them only when instructed. It also
 * omits scopes that self-registered apps cannot get.
 * @param path the path of the resource; '' for the whole service
 */
export const protectedResourceMetadata = (path: string) => ({
  resource: `${config().BASE_URL}${path}`,
  authorization_servers: [issuer()],
  scopes_supported: requestableScopes(allScopes, registeredAppScopes()).filter(
    (scope) => scope !== 'offline_access' && !scope.endsWith(':admin'),
  ),
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: proofAlgs,
  resource_name: config().serviceName,
  resource_documentation: `${config().BASE_URL}/docs`,
  // List all protected resources (RFC 9728 section 4) for clients that know only the URL of the instance.
  ...(path === '' ? { protected_resources: protectedResources() } : {}),
})
