import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { sealToken } from '@/lib/base/credentials/seal'
import { flashCookie, readFlash, withoutSecrets } from './answer-form'
import { isSecretField } from './form-state'

const root = path.resolve(import.meta.dirname, '../../../..')

/**
 * Returns every form element in the product that is for a secret: masked fields, and fields that browsers
 * fill in with a secret.
 */
function secretElements(): string[] {
  const files = ['app', 'components']
    .flatMap((dir) =>
      readdirSync(path.join(root, dir), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(dir, file),
      ),
    )
    .filter((file) => file.endsWith('.tsx'))
  return files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/<\w+(?:\s[^<]*?)?\/?>/gs)]
      .map(([element]) => element)
      .filter((element) =>
        /type="password"|autoComplete="(current-password|new-password|one-time-code)"/.test(element),
      ),
  )
}

describe('the values of a rejected form', () => {
  it('include the typed values but no credentials', () => {
    const secrets = {
      password: 'correct horse battery',
      current: 'correct horse battery',
      newPassword: 'correct horse battery',
      code: '123456',
      response: '{}',
      token: 'lk_reset_x',
      clientSecret: 'lk_secret_x',
      recoveryCode: 'abcd-efgh',
    }
    const typed = { name: 'CI', email: 'ada@example.com', expiresInDays: '90', user_code: 'BCDF-GHJK' }
    expect(withoutSecrets({ ...secrets, ...typed })).toEqual(typed)
  })

  it('omit the secret fields of all forms in the product', () => {
    const elements = secretElements()
    expect(elements.length).toBeGreaterThanOrEqual(6)
    const names = elements.map((element) => /\bname="([^"]+)"/.exec(element)?.[1] ?? element)
    expect(names.filter((name) => !isSecretField(name))).toEqual([])
  })
})

const message = 'Enter an email address such as ada@example.com.'

/** Stores values in the cookie and reads them as the page does. */
const carried = (values: Record<string, string>) => {
  const cookie = flashCookie('/signup', { message, fields: { email: message }, values })
  const value = (cookie.split(';')[0] as string).slice('lk-form='.length)
  return { cookie, flash: readFlash({ get: () => ({ value }) }, true) }
}

describe('the cookie of a rejected form', () => {
  it('contains the errors and the typed values', () => {
    const values = { name: 'Zoë 山田', email: 'not an address' }
    expect(carried(values).flash).toEqual({ message, fields: { email: message }, values })
  })

  it('stays below the browsers’ size limit even for very long input, and keeps the error message', () => {
    const { cookie, flash } = carried({ email: 'a@b', name: '山'.repeat(2000), more: '"'.repeat(90_000) })
    expect(cookie.length).toBeLessThan(4096)
    expect(flash).toMatchObject({ message, values: { email: 'a@b' } })
  })

  it('is ignored if another host set it, or after two minutes', () => {
    const read = (value: string) => readFlash({ get: () => ({ value }) }, true)
    const forged = { message: 'Call 0900 123', fields: {}, values: {} }
    expect(read(encodeURIComponent(JSON.stringify(forged)))).toBeUndefined()
    expect(read(sealToken(JSON.stringify({ ...forged, until: 9e15 }), 'sign-up'))).toBeUndefined()
    const [, value = ''] = /=([^;]+)/.exec(flashCookie('/login', forged)) ?? []
    expect(read(value)).toEqual(forged)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 121_000)
    expect(read(value)).toBeUndefined()
    vi.restoreAllMocks()
  })

  it('keeps the error even if the truncation of a value splits an emoji', () => {
    expect(carried({ name: `${'x'.repeat(253)}😀` }).flash?.message).toBe(message)
  })
})
