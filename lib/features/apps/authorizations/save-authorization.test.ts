import { expect, it } from 'vitest'
import { scopesAfterConsent } from './save-authorization'

it.each([
  ['nothing', [], ['openid', 'workspace:viewer'], ['openid', 'workspace:viewer']],
  [
    'a stronger role for the same kind of resource',
    ['workspace:admin'],
    ['workspace:viewer'],
    ['workspace:viewer'],
  ],
  [
    'a weaker role for the same kind of resource',
    ['workspace:viewer'],
    ['workspace:admin'],
    ['workspace:admin'],
  ],
  [
    'a role for the other kind of resource',
    ['project:admin'],
    ['workspace:viewer'],
    ['project:admin', 'workspace:viewer'],
  ],
  ['access to user data', ['email', 'offline_access'], ['openid'], ['email', 'offline_access', 'openid']],
])(
  'if %s was authorized before, scopesAfterConsent replaces only the scopes for the requested kinds of resources',
  (_what, earlier, asked, after) => {
    expect(scopesAfterConsent(asked, earlier)).toEqual(after)
  },
)
