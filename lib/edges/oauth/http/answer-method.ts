import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from '@/lib/base/http/answers'
import { metadataRoute, routes } from '../protocol/routes'

const read = ['GET', 'HEAD', 'OPTIONS']
const send = ['POST', 'OPTIONS']
const visit = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** Every endpoint below the mount, and what it takes. */
const endpoints = new Map<string, readonly string[]>([
  [routes.authorization, visit],
  [routes.token, send],
  [routes.userinfo, visit],
  [routes.registration, send],
  [routes.pushed_authorization_request, send],
  [routes.device_authorization, send],
  [routes.code_verification, visit],
  [routes.jwks, read],
  [routes.revocation, send],
  [routes.introspection, send],
  [routes.end_session, visit],
  [`${routes.end_session}/confirm`, send],
  [`${routes.end_session}/success`, read],
  [metadataRoute, read],
])

/** Endpoints with one thing each below them: a registered client, a sign-in to return to. */
const collections = new Map<string, readonly string[]>([
  [routes.registration, ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']],
  [routes.authorization, read],
])

/**
 * The methods an endpoint takes. Addresses are exact: the engine's router ignores case and slashes at the end, and would
 * lead to pages of its own that the product replaces.
 * @param local the path below the mount
 * @returns undefined for a path that is no endpoint
 */
export function methodsOf(local: string): readonly string[] | undefined {
  return endpoints.get(local) ?? collections.get(collectionOf(local))
}

/** An endpoint's path as it may stand in a log, where the id of a client or a sign-in may not. @returns undefined for no endpoint */
export function endpointName(local: string): string | undefined {
  if (endpoints.has(local)) return local
  const collection = collectionOf(local)
  return collections.has(collection) ? `${collection}/[id]` : undefined
}

const collectionOf = (local: string): string => /^(\/[^/]+)\/[^/]+$/.exec(local)?.[1] ?? ''

/**
 * Answers what an endpoint need not be asked for: a method it does not take is a 405 that names those it does (RFC 9110
 * section 15.5.6), and OPTIONS is told them. What a browser asks before a cross-origin request is left to the engine.
 * @param allowed what the endpoint takes
 * @returns whether it was answered
 */
export function answerMethod(req: IncomingMessage, res: ServerResponse, allowed: readonly string[]): boolean {
  const method = req.method as string
  const preflight = method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  if (preflight || (method !== 'OPTIONS' && allowed.includes(method))) return false
  res.setHeader('allow', allowed.join(', '))
  if (method === 'OPTIONS') {
    res.statusCode = 204
    res.end()
    return true
  }
  const [first] = allowed
  const description = `${method} is not understood here; use ${first}`
  sendJson(res, 405, { error: 'invalid_request', error_description: description })
  return true
}
