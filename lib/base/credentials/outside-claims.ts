/** The accepted difference between our clock and another issuer's clock, in seconds. */
export const clockTolerance = 60

/**
 * The format of a subject: 1 to 255 printable ASCII characters that are not all spaces (OpenID Connect Core
 * section 2). If empty subjects were accepted, all users with an empty subject would share an account.
 */
const subjectForm = /^(?=.*\S)[\x20-\x7e]{1,255}$/

/** A fault in the claims of another issuer's token. */
export type ClaimFault = 'subject' | 'times' | 'expired' | 'early' | 'authorized-party'

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/**
 * Checks the subject, times, and authorized party (`azp`) of another issuer's token (RFC 7519 section 4.1;
 * OpenID Connect Core sections 2 and 3.1.3.7), because libraries skip some of these checks. Call this after
 * verifying the signature, issuer, and audience.
 * @param claims the payload that the issuer signed
 * @param nowMs the current time of the database clock, in milliseconds
 * @param clientId our client ID at the issuer of an ID token; if undefined, `azp` is not checked
 * @returns the first fault, or undefined if there is none
 */
export function claimFault(
  claims: Record<string, unknown>,
  nowMs: number,
  clientId?: string,
): ClaimFault | undefined {
  const { sub, exp, iat, nbf, auth_time: signedInAt, azp } = claims
  const now = nowMs / 1000
  if (typeof sub !== 'string' || !subjectForm.test(sub)) return 'subject'
  if (!isTime(exp) || !isTime(iat)) return 'times'
  for (const optional of [nbf, signedInAt]) {
    if (optional !== undefined && !isTime(optional)) return 'times'
    if (isTime(optional) && optional > now + clockTolerance) return 'early'
  }
  if (exp <= now - clockTolerance) return 'expired'
  if (iat > now + clockTolerance) return 'early'
  if (exp <= iat) return 'times'
  if (clientId !== undefined && azp !== undefined && azp !== clientId) return 'authorized-party'
  return undefined
}
