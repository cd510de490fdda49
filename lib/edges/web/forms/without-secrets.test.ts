import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSecretField, withoutSecrets } from './without-secrets'

const root = path.resolve(import.meta.dirname, '../../../..')

/** Every element of the product's forms that asks for a secret: a masked field, or one that a browser fills with a secret. */
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

describe('what a refused form is shown with', () => {
  it('is what had been typed, without what proves who somebody is', () => {
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

  it('leaves out every field of the product that asks for a secret', () => {
    const elements = secretElements()
    expect(elements.length).toBeGreaterThanOrEqual(6)
    const names = elements.map((element) => /\bname="([^"]+)"/.exec(element)?.[1] ?? element)
    expect(names.filter((name) => !isSecretField(name))).toEqual([])
  })
})
