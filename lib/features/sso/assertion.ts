import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { claimFault, clockTolerance } from '@/lib/base/credentials/outside-claims'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { emailAddress } from '@/lib/base/mail/email-address'
import { outboundErrorIn } from '@/lib/base/outbound/check-url'
import { issuerKey, joseCode } from './read-issuer'
import { type AddressClaims, tokenTenant } from './sso-user'

/**
 * The media type of assertions, without `application/` (draft-ietf-oauth-identity-assertion-authz-grant,
 * section 3).
 */
const idJag = 'oauth-id-jag+jwt'

/**
 * The accepted signature algorithms. All of them are asymmetric. `none` and algorithms with shared secrets
 * are rejected (RFC 8725 section 3.1).
 */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/**
 * The maximum lifetime of an assertion in seconds. The ID of a used assertion is stored until the assertion
 * expires, to prevent replay. This maximum therefore also limits how long IDs are stored.
 */
const longest = 3600

/** The claims of a valid assertion about a user and an app. */
export type Assertion = {
  issuer: string
  subject: string
  tenant: string | undefined
  jti: string
  /** The expiry, as a Unix timestamp. */
  exp: number
  /** The email address in lowercase. Undefined if the provider sends none. */
  email: string | undefined
  addressClaims: AddressClaims
  /** The scopes that the provider allows. Undefined if the provider does not limit the scopes. */
  scopes: string[] | undefined
  /** The target resources. Empty if the provider sends none. */
  resources: string[]
  /**
   * The thumbprint of the key that the assertion is bound to (RFC 7800). The app must prove that it holds
   * this key. Undefined if the assertion is not bound to a key.
   */
  boundTo: string | undefined
  /** The authentication methods at the provider (RFC 8176). Empty if the provider sends none. */
  methods: string[]
}

/**
 * Validates an Identity Assertion JWT Authorization Grant (draft-ietf-oauth-identity-assertion-authz-grant,
 * section 4.4.1; RFC 7523 section 3) and returns its claims. Checks the type, the signature, and the format
 * of the claims. The issuer must be the identity provider of a workspace with a verified domain, and must not
 * mark the email address as unverified. The audience must be this server, the client must be the
 * authenticated client, and the times must be valid. The caller must find the user, prevent replay, check the
 * target resources, and check that the app holds the key that the assertion is bound to.
 * @param audience the issuer identifier of this server
 * @param clientId the ID of the client that authenticated
 * @throws RefusedAssertion
 */
export async function readAssertion(jwt: string, audience: string, clientId: string): Promise<Assertion> {
  const { typ, iss } = peek(jwt)
  if (typeof typ !== 'string' || typ.toLowerCase().replace(/^application\//, '') !== idJag)
    throw refuse('typ')
  if (typeof iss !== 'string' || !(await isTrusted(iss))) throw refuse('issuer')
  const claims = await verified(jwt, iss)
  if (!namesAlone(claims.aud, audience)) throw refuse('audience')
  if (claims.client_id !== clientId) throw refuse('client')
  const fault = claimFault(claims, databaseNow())
  if (fault) throw refuse(fault === 'authorized-party' ? 'client' : fault)
  const { exp, iat, sub } = claims as { exp: number; iat: number; sub: string }
  const { jti, email, email_verified: emailVerified, hd, tenant, tid, scope, resource, cnf, amr } = claims
  if (!isText(jti)) throw refuse('id')
  if (exp - iat > longest) throw refuse('long-lived')
  if (emailVerified === false || emailVerified === 'false') throw refuse('address-unverified')
  const address = typeof email === 'string' ? emailAddress.safeParse(email) : undefined
  if (address?.success === false) throw refuse('address-outside')
  if (scope !== undefined && typeof scope !== 'string') throw refuse('scope')
  return {
    issuer: iss,
    subject: sub,
    tenant: tokenTenant(iss, { tenant, tid }),
    jti,
    exp,
    email: address?.data,
    addressClaims: { emailVerified, hd, tenant, tid },
    scopes: scope?.split(' ').filter(Boolean),
    resources: listOf(resource, 'resource'),
    boundTo: boundBy(cnf),
    methods: Array.isArray(amr) ? amr.filter((method) => typeof method === 'string') : [],
  }
}

/**
 * Returns the type and the issuer of a JWT whose signature is not verified yet.
 * @throws RefusedAssertion if the JWT is malformed
 */
function peek(jwt: string): { typ: unknown; iss: unknown } {
  try {
    return { typ: decodeProtectedHeader(jwt).typ, iss: decodeJwt(jwt).iss }
  } catch {
    throw refuse('malformed')
  }
}

/**
 * Returns whether a workspace with a verified domain uses this issuer. Keys are fetched only from such
 * issuers.
 */
const isTrusted = async (issuer: string): Promise<boolean> =>
  !issuer.includes('\0') &&
  (await prisma().workspaceIdentityProvider.findFirst({
    where: { issuer, verifiedAt: { not: null } },
    select: { workspaceId: true },
  })) !== null

async function verified(jwt: string, issuer: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(jwt, (header, token) => issuerKey(issuer, header, token), {
      algorithms,
      issuer,
      clockTolerance,
      currentDate: new Date(databaseNow()),
    })
    return payload
  } catch (error) {
    throw reasonOf(error) ?? error
  }
}

const reasons: Record<string, RefusedAssertion['reason']> = {
  [errors.JWTExpired.code]: 'expired',
  [errors.JOSEAlgNotAllowed.code]: 'algorithm',
  [errors.JWKSNoMatchingKey.code]: 'key',
  [errors.JWKSMultipleMatchingKeys.code]: 'key',
  [errors.JWSSignatureVerificationFailed.code]: 'signature',
}

/**
 * Returns the refusal for an error that occurred while a JWT was verified, if the JWT is invalid or the
 * issuer's keys cannot be read. Returns undefined for any other error.
 */
function reasonOf(error: unknown): RefusedAssertion | undefined {
  if (outboundErrorIn(error)) return refuse('keys-unreadable')
  const code = joseCode(error)
  if (code === undefined) return undefined
  if (code === errors.JWTClaimValidationFailed.code) {
    return refuse((error as { claim?: string }).claim === 'nbf' ? 'early' : 'times')
  }
  return refuse(reasons[code] ?? 'malformed')
}

/**
 * Returns whether `audience` is the only audience (section 4.4.1), as a string or as a list with one item.
 */
const namesAlone = (aud: unknown, audience: string): boolean =>
  Array.isArray(aud) ? aud.length === 1 && aud[0] === audience : aud === audience

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 500 && !value.includes('\0')

function listOf(value: unknown, reason: RefusedAssertion['reason']): string[] {
  const list = value === undefined ? [] : [value].flat()
  if (!list.every((each) => typeof each === 'string')) throw refuse(reason)
  return list
}

/**
 * Returns the key thumbprint from the `cnf` claim (RFC 9449 section 6.1), or undefined if there is no such
 * claim.
 * @throws RefusedAssertion if the claim contains no thumbprint, because other confirmation methods are not
 * supported
 */
function boundBy(cnf: unknown): string | undefined {
  if (cnf === undefined) return undefined
  const jkt = typeof cnf === 'object' && cnf !== null ? (cnf as { jkt?: unknown }).jkt : undefined
  if (typeof jkt !== 'string') throw refuse('proof')
  return jkt
}

/**
 * The reasons why an assertion is rejected, each with its description in the error response. The descriptions
 * are specific, because the app has already authenticated and its developers need the details.
 */
export const assertionRefusals = {
  malformed: 'the assertion is not a signed JWT',
  typ: "the typ of the assertion's header must be oauth-id-jag+jwt",
  issuer: 'no workspace has set this issuer as its identity provider and verified its domain',
  audience: 'aud must contain only the issuer identifier of this server',
  client: 'client_id in the assertion does not match the authenticated client',
  subject: 'sub must be a string of 1 to 255 ASCII characters',
  id: 'jti is missing',
  times:
    'exp and iat must be times in seconds, and exp must be after iat; nbf and auth_time, if present, must be times in seconds',
  expired: 'the assertion has expired',
  early: 'iat, nbf, or auth_time is in the future',
  'long-lived': 'the assertion is valid for more than an hour',
  algorithm: 'the assertion is signed with an algorithm that is not accepted',
  key: 'the issuer has no key that matches the header of the assertion',
  signature: 'the signature does not match the key of the issuer',
  'keys-unreadable': "the issuer's keys could not be read; try again in a minute with a new assertion",
  'address-unverified':
    'the issuer has not verified the email address: an issuer that serves several organizations must send email_verified',
  scope: 'scope in the assertion must be a string',
  resource: 'resource in the assertion is not a resource that this server issues tokens for',
  proof: 'the assertion is bound to a key: send a DPoP proof signed with this key',
  used: 'the assertion was already used: get a new assertion for each token',
  'address-outside': 'the email address is not in the domain that the workspace has verified',
  tenant: 'the workspace belongs to another tenant of this issuer',
  unknown:
    'no user has signed in with this sub of the issuer: the user must sign in through the issuer once, or have the email address in the assertion as their verified address',
  changed: 'the email address belongs to another user of this issuer',
  'not-allowed': 'no admin of the workspace has allowed this app for SSO',
  'not-approved':
    'the workspace allows only approved apps: a workspace admin must also approve this app under Settings > Apps, in addition to allowing it for SSO',
  ended:
    "the workspace's approval of this app has expired: a workspace admin can renew it under Settings > Apps",
  'own-apps-only':
    'the workspace allows only its own apps: a workspace admin can change this under Settings > Apps',
  blocked: 'the workspace has blocked this app: a workspace admin can unblock it under Settings > Apps',
  outside:
    'the user is not a member of the workspace or cannot use the app: the user was removed or suspended, or the app is not available to them',
} as const

/**
 * The error for an assertion that is invalid or does not give the app access. The token endpoint responds
 * with `invalid_grant` (RFC 7523 section 3.1).
 */
export class RefusedAssertion extends Error {
  override name = 'RefusedAssertion'
  constructor(readonly reason: keyof typeof assertionRefusals) {
    super(assertionRefusals[reason])
  }
}

export const refuse = (reason: keyof typeof assertionRefusals): RefusedAssertion =>
  new RefusedAssertion(reason)
