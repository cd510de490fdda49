import { expect, it } from 'vitest'
import { credentialKind, credentialKinds, deriveCredential, hashCredential, mintCredential } from './tokens'

it('mintCredential creates unique credentials whose kind can be recognized', () => {
  for (const kind of Object.keys(credentialKinds) as (keyof typeof credentialKinds)[]) {
    const value = mintCredential(kind)
    expect(value).toMatch(/^lk_[a-z]+_[0-9A-Za-z]{49}$/)
    expect(credentialKind(value)).toBe(kind)
    expect(mintCredential(kind)).not.toBe(value)
  }
})

it('credentialKind returns undefined for a credential that is mistyped, shortened, or from another product', () => {
  const value = mintCredential('accessToken')
  const flipped = value.slice(0, 20) + (value[20] === 'a' ? 'b' : 'a') + value.slice(21)
  for (const wrong of [
    flipped,
    value.slice(0, -1),
    `${value}x`,
    value.replace('lk_at_', 'lk_rt_'),
    'ghp_abc',
    '',
  ]) {
    expect(credentialKind(wrong)).toBeUndefined()
  }
})

it('hashCredential returns the SHA-256 hash of a credential', () => {
  expect(hashCredential('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

it('deriveCredential returns the same credential only for the same purpose and subject', () => {
  const value = deriveCredential('accountToken', 'one-purpose', 'a')
  expect(credentialKind(value)).toBe('accountToken')
  expect(deriveCredential('accountToken', 'one-purpose', 'a')).toBe(value)
  for (const [purpose, about] of [
    ['one-purpose', 'b'],
    ['another', 'a'],
  ] as const)
    expect(deriveCredential('accountToken', purpose, about)).not.toBe(value)
})
