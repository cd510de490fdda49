import { afterEach, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/changed-settings'
import { checkSetting, config } from '@/lib/base/config/env'
import { scopeNames } from '@/lib/base/config/registered-scopes'
import { allowedTo } from './allowed-scopes'
import { allScopes } from './scopes'

afterEach(() => setChangedSettings({}))

it('knows every scope there is, by the same names', () => {
  expect([...scopeNames]).toEqual(allScopes)
})

it.each([
  ['', []],
  ['email', ['openid', 'email']],
  ['openid, email\nemail', ['openid', 'email']],
  ['project:viewer', ['openid', 'project:viewer']],
])('%j lets apps that introduce themselves ask for %j', (said, scopes) => {
  setChangedSettings({ REGISTERED_APP_SCOPES: said })
  expect(config().REGISTERED_APP_SCOPES).toEqual(scopes)
  expect(allowedTo('dyn_abc', ['profile'])).toEqual(scopes)
  expect(allowedTo('https://app.example/client.json', ['profile'])).toEqual(scopes)
  expect(allowedTo('0123abcd', ['profile'])).toEqual(['profile'])
  expect(allowedTo('xdyn_abc')).toEqual([])
})

it('takes no scope that nobody knows', () => {
  expect(checkSetting('REGISTERED_APP_SCOPES', 'email admin')).toMatch(/must list some of openid/)
})
