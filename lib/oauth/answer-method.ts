import type { IncomingMessage, ServerResponse } from 'node:http'
import { metadataRoute, routes } from './config/routes'

const read = ['GET', 'HEAD', 'OPTIONS']
const send = ['POST', 'OPTIONS']
const visit = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** What each endpoint takes, below the mount. */
const methods = new Map<string, readonly string[]>([
  [routes.authorization, visit],
  [routes.token, send],
  [routes.userinfo, visit],
  [routes.registration, send],
  [`${routes.registration}/:client_id`, ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']],
  [routes.pushed_authorization_request, send],
  [routes.device_authorization, send],
  [routes.jwks, read],
  [routes.revocation, send],
  [routes.introspection, send],
  [routes.end_session, visit],
  [`${routes.end_session}/confirm`, send],
  [`${routes.end_session}/success`, read],
  [metadataRoute, read],
])

/** The methods an endpoint takes; undefined for a path that is none. @param local the path below the mount */
function methodsOf(local: string): readonly string[] | undefined {
  const known = methods.get(local)
  if (known || !local.startsWith(`${routes.registration}/`)) return known
  return local.indexOf('/', routes.registration.length + 1) < 0
    ? methods.get(`${routes.registration}/:client_id`)
    : undefined
}

/**
 * Answers what an endpoint need not be asked for: a method it does not take is a 405 that names those it does (RFC 9110
 * section 15.5.6), and OPTIONS is told them. What a browser asks before a cross-origin request is left to the engine.
 * @param local the path below the mount
 * @returns whether it was answered
 */
export function answerMethod(req: IncomingMessage, res: ServerResponse, local: string): boolean {
  const allowed = methodsOf(local)
  const method = req.method as string
  const preflight = method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  if (!allowed || preflight || (method !== 'OPTIONS' && allowed.includes(method))) return false
  res.setHeader('allow', allowed.join(', '))
  if (method === 'OPTIONS') {
    res.statusCode = 204
    res.end()
    return true
  }
  res.statusCode = 405
  res.setHeader('content-type', 'application/json; charset=utf-8')
  const [first] = allowed
  const description = `${method} is not understood here; use ${first}`
  res.end(JSON.stringify({ error: 'invalid_request', error_description: description }))
  return true
}
