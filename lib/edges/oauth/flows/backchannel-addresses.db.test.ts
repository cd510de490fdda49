import { describe, expect, it } from 'vitest'
import { updateApp } from '@/lib/features/apps/update-app'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, web } = await startOAuthWorld()

const { id } = owner.person
const actor = { kind: 'session' as const, userId: id, sessionId: id, instanceAdmin: false }

describe('F5: a sign-out that could never be delivered', () => {
  const impossible = [
    ['http://app.example.com/logout', 'Use an address that begins with https://.'],
    ['https://app.example.com:5143/logout', 'Use port 443, the default of https.'],
    ['https://10.0.0.1/logout', 'This address is not on the public internet.'],
    ['https://169.254.169.254/logout', 'This address is not on the public internet.'],
  ]
  it.each(impossible)('is foreseen where a client registers %s', async (address, sentence) => {
    const response = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['https://app.example.com/callback'],
        backchannel_logout_uri: address,
      }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: 'invalid_client_metadata',
      error_description: `backchannel_logout_uri: ${sentence}`,
    })
  })

  it.each(impossible)('is foreseen where the settings name %s', async (address, sentence) => {
    const change = updateApp(actor, web.clientId, { backchannelLogoutUri: address })
    await expect(change).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { fields: { backchannelLogoutUri: sentence } },
    })
  })
})
