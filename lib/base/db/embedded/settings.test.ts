import { afterEach, expect, it, vi } from 'vitest'
import { checkSettings } from './settings'

afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['SECRET_KYE', 'SECRET_KEY'],
])('checkSettings rejects %s, although the embedded database does not need %s', (typed, meant) => {
  vi.stubEnv(meant, '')
  vi.stubEnv(typed, 'a value')
  expect(checkSettings).toThrow(`${typed} is not a setting; did you mean ${meant}?`)
})
