import { expect, it } from 'vitest'
import { scopesAfterConsent } from './save-authorization'

it.each([
  ['nothing', [], ['openid', 'workspace:viewer'], ['openid', 'workspace:viewer']],
  ['a stronger role on the same kind', ['workspace:admin'], ['workspace:viewer'], ['workspace:viewer']],
  ['a weaker role on the same kind', ['workspace:viewer'], ['workspace:admin'], ['workspace:admin']],
  ['the other kind', ['project:admin'], ['workspace:viewer'], ['project:admin', 'workspace:viewer']],
  ['the user', ['email', 'offline_access'], ['openid'], ['email', 'offline_access', 'openid']],
])('after %s was allowed before', (_what, earlier, asked, after) => {
  expect(scopesAfterConsent(asked, earlier)).toEqual(after)
})
