import { createHmac } from 'node:crypto'
import { derivedKeys } from '@/lib/base/credentials/seal'

const uidsOf = (sessionId: string): string[] =>
  derivedKeys('engine-session-uid').map((key) =>
    createHmac('sha256', key).update(sessionId).digest('base64url'),
  )

/**
 * What an authorization request that waits for the person notes of the browser session it came with (the `uid` of the
 * engine's session): the same for every request of that session, however many come at once.
 * @param sessionId the row of `sessions`
 */
export const engineSessionUid = (sessionId: string): string => uidsOf(sessionId)[0] as string

/**
 * Whether a `uid` is that of a browser session, whichever of the keys it was made with: a replica that is given a new
 * SECRET_KEY before or after this one makes another. See decision 115.
 */
export const isUidOf = (uid: string | undefined, sessionId: string): boolean =>
  uid !== undefined && uidsOf(sessionId).includes(uid)

const policies = 'http://schemas.openid.net/pape/policies/2007/06'

/** What `acr` says of two factors, and of anything less (OpenID PAPE 1.0 sections 4 and 5.2). See decision 085. */
export const twoFactors = `${policies}/multi-factor`
export const oneFactor = `${policies}/none`

/** The authentication context class of a sign-in by these methods (OpenID Connect Core section 2). */
export const acrOf = (methods: readonly string[]): string =>
  methods.includes('mfa') ? twoFactors : oneFactor

/** The methods that RFC 8176 has names for; an identity provider's word is none. */
export const amrOf = (methods: readonly string[]): string[] => methods.filter((method) => method !== 'ext')
