import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { providerName } from '@/lib/policy/required-sso'
import { offline, refresh, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()

const introspect = async (token: string) => {
  const answer = await fetch(`${config().BASE_URL}/oauth/token/introspection`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, client_id: web.clientId, client_secret: String(web.secret) }),
  })
  return ((await answer.json()) as { active: boolean }).active
}

it('ends refreshes, UserInfo, and introspection of authorizations given outside required SSO, until a sign-in through it', async () => {
  const { id: userId } = owner.person
  const ofWeb = (await signInToApp(owner.browser, web, offline)).body
  const ofCli = (await signInToApp(owner.browser, cli, offline)).body
  const accessToken = String(ofWeb.access_token)
  const refreshed = async () =>
    Promise.all([
      refresh(web, String(ofWeb.refresh_token)).then(({ body }) => body.error),
      refresh(cli, String(ofCli.refresh_token)).then(({ body }) => body.error),
    ])
  expect([(await userinfo(accessToken)).status, await introspect(accessToken)]).toEqual([200, true])
  const domain = `${randomUUID()}.example.test`
  await prisma().user.update({ where: { id: userId }, data: { email: `owner@${domain}` } })
  await prisma().workspaceIdentityProvider.create({
    data: {
      workspaceId: owner.workspace.id,
      issuer: 'https://idp.example',
      clientId: 'latchkey',
      domain,
      token: randomUUID(),
      verifiedAt: new Date(),
      onlyDoor: true,
    },
  })
  expect([(await userinfo(accessToken)).status, await introspect(accessToken)]).toEqual([401, false])
  expect(await refreshed()).toEqual(['invalid_grant', 'invalid_grant'])
  await prisma().identity.create({
    data: { provider: providerName(owner.workspace.id), subject: randomUUID(), userId },
  })
  expect([(await userinfo(accessToken)).status, await introspect(accessToken)]).toEqual([200, true])
  expect(await refreshed()).toEqual([undefined, undefined])
})
