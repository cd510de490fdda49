import { afterEach, describe, expect, it } from 'vitest'
import { scopeNames } from '@/lib/base/config/checks'
import { checkSetting, config, setChangedSettings } from '@/lib/base/config/env'
import { allowedTo } from './app-status'
import { allScopes, effectiveScopes, withIncluded } from './scopes'

describe('scopes', () => {
  it.each([
    [
      'as issued',
      ['openid', 'workspace:admin'],
      ['openid', 'email', 'workspace:admin'],
      ['openid', 'workspace:admin'],
    ],
    ['without revoked scopes', ['openid', 'email'], ['openid'], ['openid']],
    [
      'lowered with the authorization',
      ['openid', 'workspace:admin'],
      ['openid', 'workspace:viewer'],
      ['openid', 'workspace:viewer'],
    ],
    ['not raised by the authorization', ['workspace:viewer'], ['workspace:admin'], ['workspace:viewer']],
    ['not carried over to the other kind', ['project:admin'], ['workspace:admin'], []],
    [
      'separately for each kind',
      ['workspace:member', 'project:admin'],
      ['project:member', 'workspace:admin'],
      ['project:member', 'workspace:member'],
    ],
  ])('limits a token to its scopes, %s', (_how, token, authorization, worth) => {
    expect(effectiveScopes(token, authorization)).toEqual(worth)
  })

  it('treats admin as including member, and member as including viewer', () => {
    expect(withIncluded(['openid', 'project:member'])).toEqual(['openid', 'project:member', 'project:viewer'])
  })
})

describe('allowed scopes', () => {
  afterEach(() => setChangedSettings({}))

  it('contains every scope under the same name', () => {
    expect([...scopeNames]).toEqual(allScopes)
  })

  it.each([
    ['', []],
    ['email', ['openid', 'email']],
    ['openid, email\nemail', ['openid', 'email']],
    ['project:viewer', ['openid', 'project:viewer']],
    ['deployments:write', ['openid', 'deployments:write']],
  ])('%j allows self-registered apps to request %j', (said, scopes) => {
    setChangedSettings({ registeredAppScopes: said })
    expect(config().registeredAppScopes).toEqual(scopes)
    expect(allowedTo('dyn_abc', ['profile'])).toEqual(scopes)
    expect(allowedTo('https://app.example/client.json', ['profile'])).toEqual(scopes)
    expect(allowedTo('0123abcd', ['profile'])).toEqual(['profile'])
    expect(allowedTo('xdyn_abc')).toEqual([])
  })

  it('rejects unknown scopes', () => {
    for (const list of ['email admin', 'project:veiwer', 'Deployments:write'])
      expect(checkSetting('registeredAppScopes', list)).toMatch(/must list some of openid/)
  })
})
