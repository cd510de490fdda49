import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { authorizeUrl } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, server } = await startOAuthWorld()

describe('a redirect URI of this instance', () => {
  const redirectUri = `${config().BASE_URL}/logout`

  it('cannot be registered', async () => {
    const response = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error_description: expect.stringContaining('is an address of this instance'),
    })
  })

  it('receives no posted response, even if an earlier release registered it', async () => {
    const app = await owner.makeApp({ redirectUris: [redirectUri] })
    const broken = { prompt: 'none', scope: undefined, code_challenge: undefined }
    for (const more of [{ prompt: 'none' }, { prompt: 'none', state: 'x' }, broken]) {
      const page = await owner.browser.request(authorizeUrl(app, { ...more, response_mode: 'form_post' }), {
        headers: { accept: 'text/html' },
      })
      expect(page.status).toBe(400)
      const html = await page.text()
      expect(html).toContain('invalid_redirect_uri')
      expect(html).not.toContain('<form')
    }
    const redirect = await owner.browser.request(authorizeUrl(app, { prompt: 'none' }))
    expect(redirect.headers.get('location')).toContain(`${redirectUri}?error=consent_required`)
  })
})
