import { decodeJwt } from 'jose'
import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { clockTolerance } from '@/lib/base/credentials/outside-claims'
import { accessByAssertion, isManaged } from '@/lib/features/sso/access-by-assertion'
import {
  type Assertion,
  assertionRefusals,
  type RefusedAssertion,
  readAssertion,
} from '@/lib/features/sso/assertion'
import { proofRememberedSeconds } from '@/lib/policy/proof-of-possession'
import { effectiveScopes } from '@/lib/policy/scopes'
import { issuer, jwtBearerGrant, resourceIdentifiers } from '../protocol/routes'
import { currentUnit } from '../store/request-unit'
import { proofOfRequest } from './internals'

/**
 * Adds the grant type for assertions from customers' identity providers (RFC 7523 section 2.1,
 * draft-ietf-oauth-identity-assertion-authz-grant section 4.4) to oidc-provider. The grant issues only access
 * tokens. See ADR 0024.
 */
export function acceptAssertions(provider: Provider): void {
  provider.registerGrantType(
    jwtBearerGrant,
    async (ctx) => {
      try {
        await redeem(provider, ctx)
      } catch (error) {
        throw asGrantError(error)
      }
    },
    ['assertion', 'scope', 'resource'],
  )
}

/** Converts the error for a rejected assertion to an OAuth error. Returns any other error unchanged. */
function asGrantError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'RefusedAssertion') return error
  const { reason } = error as RefusedAssertion
  return new errors.InvalidGrant(assertionRefusals[reason])
}

async function redeem(provider: Provider, ctx: KoaContextWithOIDC): Promise<void> {
  const { client, params } = ctx.oidc
  if (!client || !params) throw new Error('The client must be authenticated here.')
  // Reject the request if the app is not an SSO-managed app, because only SSO-managed apps can use the grant
  // type.
  if (!(await isManaged(client.clientId))) throw new errors.UnsupportedGrantType()
  const { assertion: jwt, scope, resource } = params as Record<string, string | undefined>
  if (!jwt) throw new errors.InvalidRequest("missing required parameter(s) 'assertion'")
  const assertion = await readAssertion(jwt, issuer(), client.clientId)
  const proof = await proofOfRequest(provider, ctx, client.clientId)
  if (assertion.boundTo !== undefined && assertion.boundTo !== proof.thumbprint) {
    throw new errors.InvalidGrant(assertionRefusals.proof)
  }
  const audience = audienceOf(assertion, resource)
  const { access, keep } = await accessByAssertion(assertion, client.clientId)
  const scopes = scopesOf(assertion, scope, access.scopes)
  if (scopes.length === 0)
    throw new errors.InvalidScope('none of the requested scopes is allowed', scope ?? '')
  // Reject an assertion that was used before. `isFirstUse` stores the ID of a new assertion.
  if (!(await isFirstUse(provider, assertion.issuer, assertion.jti, assertion.exp + clockTolerance)))
    throw new errors.InvalidGrant(assertionRefusals.used)
  await proof.spend()
  await keep()
  const unit = currentUnit()
  if (unit) {
    const { issuer: by, methods } = assertion
    unit.managed = { managedAppId: access.id, userId: access.userId, issuer: by, methods }
  }
  const token = new provider.ClientCredentials({ client, scope: scopes.join(' ') })
  token.setAudience(audience)
  if (proof.thumbprint) token.setThumbprint('jkt', proof.thumbprint)
  ctx.oidc.entity('ClientCredentials', token)
  const value = await token.save()
  ctx.body = {
    access_token: value,
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope: token.scope,
    // Section 4.4.1 of the draft requires the granted resource in the response.
    resource: audience,
  }
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '')

/**
 * Returns the resource that the token is for (RFC 8707), without a trailing slash: the requested resource or,
 * if the request names none, the first resource in the assertion. If neither names a resource, the token is
 * for the whole service.
 * @throws errors.InvalidGrant if the assertion names a resource of another service
 * @throws errors.InvalidTarget if the requested resource is unknown, or if the assertion names only other
 * resources
 */
function audienceOf({ resources }: Assertion, asked: string | undefined): string {
  const known = resourceIdentifiers()
  if (!resources.every((each) => known.includes(each)))
    throw new errors.InvalidGrant(assertionRefusals.resource)
  const named = resources.map(withoutSlash)
  if (asked === undefined) return named[0] ?? config().BASE_URL
  const wanted = withoutSlash(asked)
  if (!known.includes(asked) || (named.length > 0 && !named.includes(wanted)))
    throw new errors.InvalidTarget()
  return wanted
}

/**
 * Returns the scopes that the workspace admin allows, limited to those in the request and in the assertion.
 * If one of them has no `scope`, only the other limits apply.
 */
function scopesOf({ scopes: said }: Assertion, asked: string | undefined, allowed: string[]): string[] {
  const within = asked === undefined ? allowed : effectiveScopes(asked.split(' '), allowed)
  return said === undefined ? within : effectiveScopes(said, within)
}

/**
 * Makes oidc-provider reject a JWT whose ID was used before, even by a parallel request. oidc-provider looks
 * up the ID first and writes it later, so two parallel requests could both find no ID. The replacement relies
 * on the insert into the table (store/artifacts). If the ID exists, the insert throws the error for a used
 * DPoP proof. For the ID of a client assertion, the replacement returns false instead. The replacement also
 * stores IDs for longer, because oidc-provider stores the ID of a proof for only half of the time that a
 * proof from a fast clock is valid.
 */
export function refuseUsedAssertions(provider: Provider): void {
  const model = provider.ReplayDetection as unknown as ReplayDetection
  const unique = model.unique.bind(model)
  model.unique = async (iss, jti, exp) => {
    try {
      return await unique(iss, jti, Math.max(exp, Math.floor(Date.now() / 1000) + proofRememberedSeconds))
    } catch (error) {
      if (error instanceof errors.InvalidDpopProof && jti === assertionId()) return false
      throw error
    }
  }
}

/**
 * Returns whether the ID of a JWT is new for its issuer, and records it as used.
 * @param until the Unix timestamp until which the JWT is accepted
 */
async function isFirstUse(provider: Provider, iss: string, jti: string, until: number): Promise<boolean> {
  try {
    // The prefix distinguishes this ID from an equal ID of a client assertion or a proof.
    return await (provider.ReplayDetection as unknown as ReplayDetection).unique(`id-jag ${iss} `, jti, until)
  } catch (error) {
    if (error instanceof errors.InvalidDpopProof) return false
    throw error
  }
}

type ReplayDetection = { unique(iss: string, jti: string, exp: number): Promise<boolean> }

/** Returns the ID of the client assertion in the request, or undefined if there is none. */
function assertionId(): string | undefined {
  const { client_assertion: assertion } = (Provider.ctx?.oidc.params ?? {}) as { client_assertion?: string }
  return assertion === undefined ? undefined : decodeJwt(assertion).jti
}
