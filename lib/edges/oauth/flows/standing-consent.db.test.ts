import { describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { outcome } from '@/lib/testing/oauth-consent'
import { authorize } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner } = await startOAuthWorld()

const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }

/** An app as it is after it registered itself. */
async function registered(fields: Parameters<typeof owner.makeApp>[0]) {
  const app = await owner.makeApp({ ...fields, source: 'DYNAMIC' })
  await pool().query(`UPDATE oauth_clients SET id = 'dyn_' || id, workspace_id = NULL WHERE id = $1`, [
    app.clientId,
  ])
  return { ...app, clientId: `dyn_${app.clientId}` }
}

describe('consent is asked', () => {
  it('always for a native app, and for a self-registered one without a secret', async () => {
    const cli = await owner.makeApp(native)
    const inBrowser = { application_type: 'web', token_endpoint_auth_method: 'none' }
    const agent = await registered({ type: 'NATIVE', metadata: inBrowser })
    for (const app of [cli, agent]) {
      await authorize(owner.browser, app, pkce)
      expect(await outcome(owner.browser, app, pkce)).toBe('consent')
      expect(await outcome(owner.browser, app, { ...pkce, prompt: 'none' })).toBe('interaction_required')
    }
  })

  it('once for a self-registered web app with a secret, which prompt=none then goes through for', async () => {
    const app = await registered({ metadata: { application_type: 'web' } })
    expect(await outcome(owner.browser, app, { prompt: 'none' })).toBe('consent_required')
    await authorize(owner.browser, app)
    expect(await outcome(owner.browser, app)).toBe('code')
    expect(await outcome(owner.browser, app, { prompt: 'none' })).toBe('code')
    expect(await outcome(owner.browser, app, { prompt: 'none', scope: 'openid email' })).toBe(
      'consent_required',
    )
  })
})
