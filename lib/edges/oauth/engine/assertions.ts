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
import { scopesUnder } from '@/lib/policy/scopes'
import { issuer, jwtBearerGrant, resourceIdentifiers } from '../protocol/routes'
import { currentUnit } from '../store/request-unit'
import { proofOfRequest } from './internals'

/**
 * Has the engine take the assertions of workspaces' identity providers (RFC 7523 section 2.1,
 * draft-ietf-oauth-identity-assertion-authz-grant section 4.4), for an access token and nothing else.
 * See ADR 0031.
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

/** A refused assertion in the engine's words; anything else as it is. */
function asGrantError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'RefusedAssertion') return error
  const { reason } = error as RefusedAssertion
  return new errors.InvalidGrant(assertionRefusals[reason])
}

async function redeem(provider: Provider, ctx: KoaContextWithOIDC): Promise<void> {
  const { client, params } = ctx.oidc
  if (!client || !params) throw new Error('the engine knows its client here')
  // For an app that no workspace allows for SSO, this server has no such grant.
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
    throw new errors.InvalidScope('nothing of what is asked for is allowed', scope ?? '')
  // An assertion is good once: the id is written by whoever comes first.
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
    // Section 4.4.1 of the draft has the answer name the resource that was granted.
    resource: audience,
  }
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '')

/**
 * The one resource that the token is for (RFC 8707): of those that the provider names the one that is asked for, or the first. Where
 * nobody names any, it is for the whole service.
 * @throws errors.InvalidGrant for a resource of somebody else in the assertion, errors.InvalidTarget for one beyond it in the request
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

/** The least of what the provider says, what is asked for, and what an admin allows. */
function scopesOf({ scopes: said }: Assertion, asked: string | undefined, allowed: string[]): string[] {
  const within = asked === undefined ? allowed : scopesUnder(asked.split(' '), allowed)
  return said === undefined ? within : scopesUnder(said, within)
}

/**
 * The engine looks for a JWT's id and then writes it; here the write decides (store/artifacts), and refuses in the words of
 * a DPoP proof. For a client assertion that means what the engine has words for: it was used before. The engine remembers
 * proofs for half as long as those from a clock that is ahead are good.
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
 * Whether the id of a JWT is new among those of its issuer; from now on it is not.
 * @param until when it ends, in seconds
 */
async function isFirstUse(provider: Provider, iss: string, jti: string, until: number): Promise<boolean> {
  try {
    // A text of its own kind, so that no client assertion or proof uses it up.
    return await (provider.ReplayDetection as unknown as ReplayDetection).unique(`id-jag ${iss} `, jti, until)
  } catch (error) {
    if (error instanceof errors.InvalidDpopProof) return false
    throw error
  }
}

type ReplayDetection = { unique(iss: string, jti: string, exp: number): Promise<boolean> }

/** The id of the client assertion that the request carries. */
function assertionId(): string | undefined {
  const { client_assertion: assertion } = (Provider.ctx?.oidc.params ?? {}) as { client_assertion?: string }
  return assertion === undefined ? undefined : decodeJwt(assertion).jti
}
