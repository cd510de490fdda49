import { Secret, TOTP } from 'otpauth'

/** What every authenticator app understands (RFC 6238 with its defaults): six digits, 30 seconds, SHA-1. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 }

/** A new secret of 160 bits (RFC 4226 section 4), base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The address that an authenticator app reads from the QR code. */
export const totpUri = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  new TOTP({ ...parameters, issuer, label: account, secret }).toString()

/**
 * Finds the time step that a code belongs to: this one, or one to either side for clocks that differ (RFC 6238 section 5.2).
 * @param code as typed; spaces are ignored
 * @param after the step of the last code that was taken; codes up to it do not count again
 * @returns the step, or undefined for a wrong or used code
 */
export function matchTotp(secret: string, code: string, after: number, now = Date.now()): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = TOTP.validate({
    ...parameters,
    token,
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: 1,
  })
  if (delta === null) return undefined
  const step = Math.floor(now / 1000 / parameters.period) + delta
  return step > after ? step : undefined
}
