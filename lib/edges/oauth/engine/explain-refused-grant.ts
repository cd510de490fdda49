import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { assertionRefusals } from '@/lib/features/company-access/assertion-refused'
import { commasInScope } from '../config/required-scope'

const usedBefore = (what: string) =>
  `the ${what} was used before; everything that was issued for it has ended, start a new sign-in`
const unknown = (what: string) =>
  `the ${what} is not known here: it has been revoked, expired long ago, or never was`

/** What the engine's own words of a refusal, which go to the log alone, mean to whoever holds the credential. */
const explanations: Record<string, string> = {
  'authorization code not found': unknown('authorization code'),
  'refresh token not found': unknown('refresh token'),
  'device code not found': unknown('device code'),
  'authorization code is expired': 'the authorization code has expired: it is good for 60 seconds',
  'refresh token is expired': 'the refresh token has expired, start a new sign-in',
  'authorization code already consumed': usedBefore('authorization code'),
  'device code already consumed': usedBefore('device code'),
  'refresh token already used':
    'the refresh token was used before, so the authorization has ended: somebody else may have had it',
  'lost the race for this code': 'the authorization code was used by another request at the same time',
  'credential was used by another request': 'the credential was used by another request at the same time',
  'client mismatch': 'the code or token was issued to another client',
  'authorization code redirect_uri mismatch':
    'redirect_uri is not the one that the authorization request named',
  'code_verifier must be provided':
    'code_verifier is missing: the authorization request had a code_challenge',
  'code_verifier does not match code_challenge':
    'code_verifier does not match the code_challenge of the authorization request',
  'failed jkt verification': 'the DPoP proof is missing or not of the key that the refresh token is bound to',
  'missing DPoP proof JWT': 'the authorization request named a DPoP key: send a proof of it',
  'DPoP proof key thumbprint does not match dpop_jkt':
    'the DPoP proof is not of the key that the authorization request named',
}

/** Of an assertion the detail is fit for the app as it is. */
const assertionReasons = new Set<string>(Object.values(assertionRefusals))

/**
 * Says at /oauth/token which of its many reasons an `invalid_grant` has (RFC 6749 section 5.2 leaves the description to
 * us). Whoever gets to read it has authenticated as the client, or holds the code or token that it is about. What was
 * revoked leaves no trace, so it is answered as what never was.
 */
export function explainRefusedGrants(provider: Provider): void {
  provider.on('grant.error', (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    const description = explain(ctx, error)
    if (description && isJson(ctx.body)) ctx.body = { ...ctx.body, error_description: description }
  })
}

/** A browser that opens the endpoint gets a page instead. */
const isJson = (body: unknown): body is object => typeof body === 'object' && body !== null

function explain(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): string | undefined {
  if (error.error === 'invalid_scope') return commasInScope(ctx)
  if (error.error !== 'invalid_grant') return undefined
  const detail = error.error_detail ?? ''
  return assertionReasons.has(detail) ? detail : explanations[detail]
}
