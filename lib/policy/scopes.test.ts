import { expect, it } from 'vitest'
import { scopesUnder, withIncluded } from './scopes'

it.each([
  [
    'as issued',
    ['openid', 'workspace:admin'],
    ['openid', 'email', 'workspace:admin'],
    ['openid', 'workspace:admin'],
  ],
  ['without what was taken back', ['openid', 'email'], ['openid'], ['openid']],
  [
    'lowered with the authorization',
    ['openid', 'workspace:admin'],
    ['openid', 'workspace:viewer'],
    ['openid', 'workspace:viewer'],
  ],
  ['not raised by it', ['workspace:viewer'], ['workspace:admin'], ['workspace:viewer']],
  ['not carried over to the other kind', ['project:admin'], ['workspace:admin'], []],
  [
    'for each kind by itself',
    ['workspace:member', 'project:admin'],
    ['project:member', 'workspace:admin'],
    ['project:member', 'workspace:member'],
  ],
])('a token is worth its scopes, %s', (_how, token, authorization, worth) => {
  expect(scopesUnder(token, authorization)).toEqual(worth)
})

it('knows that admin includes member includes viewer', () => {
  expect(withIncluded(['openid', 'project:member'])).toEqual(['openid', 'project:member', 'project:viewer'])
})
