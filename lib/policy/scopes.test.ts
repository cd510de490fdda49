import { afterEach, describe, expect, it } from 'vitest'
import { scopeNames } from '@/lib/base/config/checks'
import { checkSetting, config, setChangedSettings } from '@/lib/base/config/env'
import { allowedTo } from './app-status'
import { allScopes, effectiveScopes, withIncluded } from './scopes'

describe('the scopes of a token', () => {
  it.each([
    [
      'are unchanged if the authorization includes them',
      ['openid', 'workspace:admin'],
      ['openid', 'email', 'workspace:admin'],
      ['openid', 'workspace:admin'],
    ],
    ['do not include revoked scopes', ['openid', 'email'], ['openid'], ['openid']],
    [
      'are reduced if the authorization has lower scopes',
      ['openid', 'workspace:admin'],
      ['openid', 'workspace:viewer'],
      ['openid', 'workspace:viewer'],
    ],
    [
      'are not raised if the authorization has higher scopes',
      ['workspace:viewer'],
      ['workspace:admin'],
      ['workspace:viewer'],
    ],
    [
      'are not granted by the authorization’s scopes for another kind of resource',
      ['project:admin'],
      ['workspace:admin'],
      [],
    ],
    [
      'are limited separately for each kind of resource',
      ['workspace:member', 'project:admin'],
      ['project:member', 'workspace:admin'],
      ['project:member', 'workspace:member'],
    ],
  ])('%s', (_how, token, authorization, worth) => {
    expect(effectiveScopes(token, authorization)).toEqual(worth)
  })

  it('include the lower scopes for the same kind of resource', () => {
    expect(withIncluded(['openid', 'project:member'])).toEqual(['openid', 'project:member', 'project:viewer'])
  })
})

describe('allowed scopes', () => {
  afterEach(() => setChangedSettings({}))

  it('can include every scope', () => {
    expect([...scopeNames]).toEqual(allScopes)
  })

  it.each([
    ['', []],
    ['email', ['openid', 'email']],
    ['openid, email\nemail', ['openid', 'email']],
    ['project:viewer', ['openid', 'project:viewer']],
    ['deployments:write', ['openid', 'deployments:write']],
  ])('set to %j let self-registered apps request %j', (said, scopes) => {
    setChangedSettings({ registeredAppScopes: said })
    expect(config().registeredAppScopes).toEqual(scopes)
    expect(allowedTo('dyn_abc', ['profile'])).toEqual(scopes)
    expect(allowedTo('https://app.example/client.json', ['profile'])).toEqual(scopes)
    expect(allowedTo('0123abcd', ['profile'])).toEqual(['profile'])
    expect(allowedTo('xdyn_abc')).toEqual([])
  })

  it('cannot include unknown scopes', () => {
    for (const list of ['email admin', 'project:veiwer', 'Deployments:write'])
      expect(checkSetting('registeredAppScopes', list)).toMatch(/must list some of openid/)
  })
})
