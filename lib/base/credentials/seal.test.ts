import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { seal, unseal } from './seal'

const key = randomBytes(32)

it('opens with the key it was sealed with, and with no other', () => {
  const sealed = seal('geheim 🔑', key)
  expect(unseal(sealed, key)).toBe('geheim 🔑')
  expect(sealed.includes(Buffer.from('geheim'))).toBe(false)
  expect(() => unseal(sealed, randomBytes(32))).toThrow()
})

it('notices any change', () => {
  const sealed = seal('value', key)
  for (const at of [0, 12, 28]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] as number) ^ 1
    expect(() => unseal(changed, key)).toThrow()
  }
})

it('takes no shorter proof than it makes', () => {
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12), { authTagLength: 4 })
  cipher.final()
  const short = Buffer.concat([Buffer.alloc(12), cipher.getAuthTag()])
  expect(() => unseal(short, key)).toThrow()
})
