import { describe, expect, it } from 'vitest'
import { flashCookie, readFlash } from './form-flash'

const message = 'Enter an email address such as ada@example.com.'

/** What the page finds after the browser has taken the cookie. */
const carried = (values: Record<string, string>) => {
  const cookie = flashCookie('/signup', { message, fields: { email: message }, values })
  const value = (cookie.split(';')[0] as string).slice('lk-form='.length)
  return { cookie, flash: readFlash({ get: () => ({ value }) }, true) }
}

describe('the cookie that carries a refused form', () => {
  it('brings back what was wrong and what had been typed', () => {
    const values = { name: 'Zoë 山田', email: 'not an address' }
    expect(carried(values).flash).toEqual({ message, fields: { email: message }, values })
  })

  it('stays short enough for every browser, however much was typed, and says what was wrong', () => {
    const { cookie, flash } = carried({ email: 'a@b', name: '山'.repeat(2000), more: '"'.repeat(90_000) })
    expect(cookie.length).toBeLessThan(4096)
    expect(flash).toMatchObject({ message, values: { email: 'a@b' } })
  })

  it('survives half a character', () => {
    expect(carried({ name: `${'x'.repeat(253)}😀` }).flash?.message).toBe(message)
  })
})
