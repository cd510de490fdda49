import { describe, expect, it } from 'vitest'
import { authorize, offline, refresh, signInToApp } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()

describe('scope', () => {
  it.each([' openid email', 'openid email ', 'openid  email', '   openid   email  '])(
    'reads over stray spaces: "%s"',
    async (scope) => {
      expect((await signInToApp(owner.browser, web, { scope })).body.scope).toBe('openid email')
      const { body } = await signInToApp(owner.browser, cli, { ...offline, scope: `${scope} offline_access` })
      expect((await refresh(cli, body.refresh_token as string, { scope })).body.scope).toBe('openid email')
    },
  )

  it.each(['openid,email', 'openid, email', 'openid email,profile'])(
    'says of "%s" that commas do not separate scopes',
    async (scope) => {
      const answer = await authorize(owner.browser, web, { scope })
      expect(answer.get('error')).toBe('invalid_scope')
      expect(answer.get('error_description')).toContain('not commas')
      const { body } = await signInToApp(owner.browser, cli, { ...offline, scope: `${offline.scope} email` })
      const refused = await refresh(cli, body.refresh_token as string, { scope })
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope'])
      expect(refused.body.error_description).toContain('not commas')
    },
  )
})
