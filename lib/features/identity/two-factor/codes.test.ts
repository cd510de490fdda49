import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { matchTotp, newTotpSecret, totpUri } from './codes'

// The SHA-1 test vectors from RFC 6238 appendix B, with the last six of their eight digits.
const secret = Secret.fromUTF8('12345678901234567890').base32

it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [2000000000, '279037'],
])('matchTotp accepts the RFC 6238 code at %i seconds', (seconds, code) => {
  expect(matchTotp(secret, code, 0, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

it('matchTotp accepts only the codes of the current and adjacent time steps', () => {
  const now = 1_700_000_000_000
  const step = Math.floor(now / 30_000)
  const codeAt = (at: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at * 30_000 })
  for (const near of [step - 1, step, step + 1]) expect(matchTotp(secret, codeAt(near), 0, now)).toBe(near)
  for (const far of [step - 2, step + 2]) expect(matchTotp(secret, codeAt(far), 0, now)).toBeUndefined()
})

it('matchTotp returns undefined for a used code and for all earlier codes', () => {
  const step = Math.floor(59 / 30)
  expect(matchTotp(secret, '287 082', step - 1, 59_000)).toBe(step)
  expect(matchTotp(secret, '287082', step, 59_000)).toBeUndefined()
  expect(matchTotp(secret, '287082', step + 1, 59_000)).toBeUndefined()
})

it.each(['', '28708', '2870820', 'abcdef', '２８７０８２'])(
  'matchTotp returns undefined for the malformed code %j',
  (code) => {
    expect(matchTotp(secret, code, 0, 59_000)).toBeUndefined()
  },
)

it('a new TOTP secret has 160 bits and is included in the URI for authenticator apps', () => {
  const made = newTotpSecret()
  expect(Secret.fromBase32(made).bytes).toHaveLength(20)
  const uri = new URL(totpUri(made, { issuer: 'Harbor Gate', account: 'ada@example.com' }))
  expect(uri.protocol).toBe('otpauth:')
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: made,
    issuer: 'Harbor Gate',
    digits: '6',
    period: '30',
  })
})
