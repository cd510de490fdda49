import type { IncomingMessage } from 'node:http'
import { config } from '@/lib/base/config/env'
import { credentialKind } from '@/lib/base/credentials/tokens'
import { requestAddress } from '@/lib/base/http/client-address'
import { installationNamed } from '@/lib/features/app-access/installations'
import { isApp } from '@/lib/policy/actor'
import { type Caller, callerFromBearer } from '@/lib/policy/bearer'
import { holdsKey, proofAlgs } from '@/lib/policy/proof-of-possession'
import { requireTwoFactor } from '@/lib/policy/two-factor'

/** The path of an endpoint that executes operations: the API itself, or `/mcp`, whose tools execute them. */
type Resource = '/graphql/v2' | '/mcp'

/**
 * A request without a valid token. `sentToken` is true if the request contained a token that was rejected.
 */
export type Unauthenticated = { sentToken: boolean }

/**
 * Authenticates a request by `Authorization: Bearer`, by `Authorization: DPoP` with a proof for a token that
 * is bound to a key, or by `Project-Access-Token` for a project token or an environment token. Ignores
 * cookies, so that other sites cannot act for a user who is signed in.
 * @param resource the path of the endpoint. Access tokens that are limited to other endpoints are rejected
 * (RFC 8707)
 * @returns the caller, or whether a token was sent if the request has no valid token
 * @throws AppError TWO_FACTOR_REQUIRED if the instance requires two-factor authentication for all actions and
 * the token's session lacks it; UNAUTHENTICATED, like `callerFromBearer`
 */
export async function authenticate(
  req: IncomingMessage,
  resource: Resource = '/graphql/v2',
): Promise<Caller | Unauthenticated> {
  const token = tokenOf(req)
  if (token === undefined) return { sentToken: false }
  const proven = /^dpop /i.test(req.headers.authorization ?? '')
  const origin = {
    ip: requestAddress(req),
    userAgent: req.headers['user-agent']?.slice(0, 500),
  }
  const caller = await callerFromBearer(token, origin)
  if (!caller || !isMeantFor(resource, caller)) return { sentToken: true }
  // If a token is bound to a key, the request must prove possession of the key. Any other token must be sent
  // as a bearer token (RFC 9449 section 7).
  const holds = proven
    ? caller.boundTo !== null && (await provesKey(req, resource, caller, token))
    : caller.boundTo === null
  if (!holds) return { sentToken: true }
  requireTwoFactor(caller.actor, 'anything')
  return caller
}

/**
 * Loads the caller of a request again. Does not check the token's audience or the proof of its key again.
 * @returns the current caller, or undefined if the token is no longer valid
 * @throws the errors of `authenticate`
 */
export async function reloadCaller(
  req: IncomingMessage,
  { hash, boundTo, actor }: Caller,
): Promise<Caller | undefined> {
  const { ip, userAgent } = actor
  const caller = await callerFromBearer(tokenOf(req) ?? '', { ip, userAgent })
  if (!caller?.hash.equals(hash) || caller.boundTo !== boundTo) return undefined
  requireTwoFactor(caller.actor, 'anything')
  return caller
}

const provesKey = (
  req: IncomingMessage,
  resource: Resource,
  caller: Caller,
  accessToken: string,
): Promise<boolean> =>
  holdsKey({
    proof: typeof req.headers.dpop === 'string' ? req.headers.dpop : undefined,
    method: req.method ?? '',
    url: config().BASE_URL + resource,
    accessToken,
    boundTo: String(caller.boundTo),
    clientId: isApp(caller.actor) ? caller.actor.clientId : '',
  })

/** Returns the WWW-Authenticate header of an unauthenticated response (RFC 9728 section 5.1). */
export const challenge = ({ sentToken }: Unauthenticated): string =>
  [
    `Bearer resource_metadata="${config().BASE_URL}/.well-known/oauth-protected-resource/graphql/v2"`,
    ...(sentToken
      ? ['error="invalid_token"', 'error_description="The token is unknown, expired, or revoked."']
      : []),
    `DPoP algs="${proofAlgs.join(' ')}"`,
  ].join(', ')

function tokenOf(req: IncomingMessage): string | undefined {
  const { authorization } = req.headers
  if (authorization !== undefined) return /^(?:bearer|dpop) +(.*)$/i.exec(authorization)?.[1]?.trim() ?? ''
  const projectToken = req.headers['project-access-token']
  if (projectToken === undefined) return undefined
  const kind = typeof projectToken === 'string' ? credentialKind(projectToken) : undefined
  return kind === 'projectToken' || kind === 'environmentToken' ? String(projectToken) : ''
}

/**
 * Returns whether a token is valid for an endpoint. A token without an audience is valid for both endpoints
 * (RFC 8707 section 2). A token with the audience BASE_URL is also valid for both endpoints.
 */
function isMeantFor(resource: Resource, { actor, audience }: Caller): boolean {
  if (audience.length === 0) return true
  // The audience of an installation's token is the installation, but the token is valid for both endpoints.
  if (
    actor.kind === 'installation' &&
    audience.some((each) => installationNamed(each) === actor.installationId)
  )
    return true
  const base = config().BASE_URL
  return audience.some((each) => [base, base + resource].includes(each.replace(/\/$/, '')))
}
