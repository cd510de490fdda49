/** Why an assertion is not redeemed, as the app that presented it is told. It has authenticated; nothing here says who is known here. */
export const assertionRefusals = {
  malformed: 'the assertion is no signed JWT',
  typ: "the typ of the assertion's header must be oauth-id-jag+jwt",
  issuer: 'no workspace here has set this issuer as its identity provider, or its domain is not proven',
  audience: 'aud must be the issuer identifier of this server, and nothing else',
  client: 'client_id in the assertion is not the client that presents it',
  subject: 'sub must be a string of 1 to 255 ASCII characters',
  id: 'jti is missing',
  times:
    'exp and iat must be times in seconds, and exp must be after iat; nbf and auth_time too if they are present',
  expired: 'the assertion has expired',
  early: 'iat, nbf, or auth_time is in the future',
  'long-lived': 'the assertion lives longer than an hour',
  algorithm: 'the assertion is signed by an algorithm that is not accepted',
  key: 'the issuer has no key like the one that the assertion says it is signed with',
  signature: 'the signature is not by the key of the issuer',
  'keys-unreadable': "the issuer's keys could not be read; try again in a minute with a new assertion",
  'address-unverified': 'the issuer says itself that it has not verified the address',
  scope: 'scope in the assertion is no text',
  resource: 'resource in the assertion is not what this server issues tokens for',
  proof: 'the assertion is bound to a key: send a DPoP proof of it',
  used: 'the assertion was used before: get a new one for each token',
  'address-outside': 'the address is not of the domain that the workspace has proven',
  tenant: 'the workspace is of another tenant of this issuer',
  unknown:
    'the issuer speaks for nobody here by this sub: the person signs in through it once, or their verified address here is the one it names',
  changed: 'the address belongs to somebody else of this issuer here',
  'not-allowed': 'no admin of the workspace allows this app to act by the word of its identity provider',
  'not-approved':
    "the workspace lets in approved apps alone: an admin of it has to approve this one too, under Settings > Apps, beside letting it act by the provider's word",
  ended: "the workspace's approval of this app has ended: an admin of it can renew it, under Settings > Apps",
  'own-apps-only':
    'the workspace lets in its own apps alone: an admin of it can change that, under Settings > Apps',
  blocked: 'the workspace has blocked this app: an admin of it can let it in again, under Settings > Apps',
  outside:
    'the person is no member of the workspace, or may not use the app: they were removed or suspended, or the app is kept from them',
} as const

/** An assertion that is not redeemed: what the caller makes of it is `invalid_grant` (RFC 7523 section 3.1). */
export class RefusedAssertion extends Error {
  override name = 'RefusedAssertion'
  constructor(readonly reason: keyof typeof assertionRefusals) {
    super(assertionRefusals[reason])
  }
}

export const refuse = (reason: keyof typeof assertionRefusals): RefusedAssertion =>
  new RefusedAssertion(reason)
