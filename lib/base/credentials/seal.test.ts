import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { seal, unseal } from './seal'

const key = randomBytes(32)

it('unseal decrypts a value only with the key that encrypted it', () => {
  const sealed = seal('geheim 🔑', key)
  expect(unseal(sealed, key)).toBe('geheim 🔑')
  expect(sealed.includes(Buffer.from('geheim'))).toBe(false)
  expect(() => unseal(sealed, randomBytes(32))).toThrow()
})

it('unseal rejects a value whose nonce, tag, or ciphertext has changed', () => {
  const sealed = seal('value', key)
  for (const at of [0, 12, 28]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] as number) ^ 1
    expect(() => unseal(changed, key)).toThrow()
  }
})

it('unseal rejects a shortened authentication tag', () => {
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12), { authTagLength: 4 })
  cipher.final()
  const short = Buffer.concat([Buffer.alloc(12), cipher.getAuthTag()])
  expect(() => unseal(short, key)).toThrow()
})
