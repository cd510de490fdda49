import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { authorize, offline, refresh, requestToken, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()

/** Takes every connection that pages and sign-ins can have, and keeps them while some work runs. */
async function withoutConnections<T>(work: () => Promise<T>): Promise<T> {
  const taken = await Promise.all(Array.from({ length: pool().options.max }, () => pool().connect()))
  try {
    return await work()
  } finally {
    for (const client of taken) client.release()
  }
}

it('token requests are answered while pages and sign-ins have taken all of their connections', async () => {
  const { body } = await signInToApp(owner.browser, cli, offline)
  const code = (await authorize(owner.browser, web)).get('code') as string
  await withoutConnections(async () => {
    const renewed = await refresh(cli, body.refresh_token as string)
    expect(renewed.status).toBe(200)
    expect((await userinfo(renewed.body.access_token as string)).status).toBe(200)
    const fields = { grant_type: 'authorization_code', code, redirect_uri: web.redirectUri }
    expect((await requestToken(web, fields)).status).toBe(200)
  })
})
