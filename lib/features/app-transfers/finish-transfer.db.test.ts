import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { addSecret } from '@/lib/features/apps/secrets'
import { updateApp } from '@/lib/features/apps/update-app'
import { graceEnd } from '@/lib/policy/app-status'
import { callerFromBearer } from '@/lib/policy/bearer'
import { requireWorkspace } from '@/lib/policy/require'
import { outcomeOf, whileUncommitted } from '@/lib/testing/concurrency'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import {
  authorize,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { makeOwner, native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { acceptTransfer } from './answer-transfer'
import { finishTransfer } from './finish-transfer'
import { requestTransfer } from './request-transfer'

await startOAuthWorld()

type Named = { id: string }
const session = ({ id }: Named) =>
  ({ kind: 'session', userId: id, sessionId: 's', instanceAdmin: false }) as const

let giver: Awaited<ReturnType<typeof makeOwner>>
let taker: Named
let to: Named
let app: TestApp

beforeEach(async () => {
  giver = await makeOwner()
  taker = await makeUser()
  to = await makeWorkspace([[taker, 'ADMIN']])
  app = await giver.makeApp()
})

async function transfer() {
  await requestTransfer(session(giver.user), app.clientId, { workspace: to.id })
  await acceptTransfer(session(taker), app.clientId)
}
const finish = (input: object = {}) =>
  finishTransfer(session(taker), app.clientId, { redirectUris: [app.redirectUri], ...input })
const signIn = async () => String((await signInToApp(giver.browser, app, offline)).body.refresh_token)
const row = () => prisma().oAuthClient.findUniqueOrThrow({ where: { id: app.clientId } })
const secrets = () => prisma().oAuthClientSecret.findMany({ where: { clientId: app.clientId } })
const pass = (days: number) =>
  prisma()
    .$executeRaw`UPDATE oauth_clients SET transferred_at = transferred_at - make_interval(days => ${days})
                        WHERE id = ${app.clientId}`

describe('the former owner’s client secret', () => {
  it('stops working when the new admins finish the transfer, and the new secret works', async () => {
    const token = await signIn()
    await transfer()
    expect((await refresh(app, token)).status).toBe(200)
    const { secret } = await finish()
    expect((await refresh(app, token)).body.error).toBe('invalid_client')
    expect((await refresh({ ...app, secret: String(secret) }, token)).status).toBe(200)
    expect(await secrets()).toHaveLength(1)
    expect((await row()).transferredAt).toBeNull()
  })

  it('stops working when the new admins add a secret, which does not finish the transfer', async () => {
    const token = await signIn()
    await transfer()
    const { secret } = await addSecret(session(taker), app.clientId)
    expect((await refresh(app, token)).body.error).toBe('invalid_client')
    expect((await refresh({ ...app, secret }, token)).status).toBe(200)
    expect((await row()).transferredAt).not.toBeNull()
    await addSecret(session(taker), app.clientId)
    expect(await secrets()).toHaveLength(2)
  })

  it('expires at the end of the grace period, and the date is in both workspaces’ audit logs and in the former owner’s notification', async () => {
    await transfer()
    const end = graceEnd((await row()).transferredAt as Date)
    expect((await secrets()).map(({ expiresAt }) => expiresAt)).toEqual([end])
    const events = await prisma().auditEvent.findMany({
      where: { action: 'oauth_app.transferred', resourceId: app.clientId },
    })
    expect(events.map(({ details }) => (details as Record<string, string>).formerSecretsEndAt)).toEqual([
      end.toISOString(),
      end.toISOString(),
    ])
    const [notice] = await prisma().notification.findMany({ where: { userId: giver.user.id } })
    expect(notice?.body).toMatch(/Credentials you have for it stop working by \w+ \d+, \d{4}/)
  })

  it('keeps an expiry that is before the end of the grace period', async () => {
    const earlier = new Date(Date.now() + 86_400_000)
    await prisma().oAuthClientSecret.updateMany({
      where: { clientId: app.clientId },
      data: { expiresAt: earlier },
    })
    await transfer()
    expect((await secrets()).map(({ expiresAt }) => expiresAt)).toEqual([earlier])
  })
})

describe('an app with an unfinished transfer', () => {
  it.each(['web', 'native'])(
    'stops working after the grace period until the transfer is finished (app type: %s)',
    async (type) => {
      if (type === 'native') app = await giver.makeApp(native)
      const token = await signIn()
      await transfer()
      await pass(6)
      const next = await refresh(app, token)
      expect(next.status).toBe(200)
      await pass(2)
      const live = String(next.body.refresh_token ?? token)
      expect((await refresh(app, live)).body.error).toBe('invalid_client')
      await expect(authorize(giver.browser, app)).rejects.toThrow()
      const { secret } = await finish()
      const renewed = secret ? { ...app, secret } : app
      expect((await refresh(renewed, live)).status).toBe(200)
    },
  )
})

describe('the review of a transferred app', () => {
  it('replaces the redirect URIs and removes the former post-logout redirect URIs', async () => {
    await prisma().oAuthClient.update({
      where: { id: app.clientId },
      data: { postLogoutRedirectUris: ['https://former.example/bye'] },
    })
    const code = (await authorize(giver.browser, app)).get('code')
    await transfer()
    await finish({ redirectUris: 'https://new.example/callback' })
    expect(await row()).toMatchObject({
      redirectUris: ['https://new.example/callback'],
      postLogoutRedirectUris: [],
    })
    // With the former secret, a code that was sent to the former redirect URI cannot be exchanged.
    const exchange = { grant_type: 'authorization_code', code: String(code), redirect_uri: app.redirectUri }
    expect((await requestToken(app, exchange)).body.error).toBe('invalid_client')
    await expect(authorize(giver.browser, app)).rejects.toThrow()
  })

  it('requires at least one redirect URI, and new public keys if the app uses the former owner’s keys', async () => {
    const jwks = JSON.stringify({
      keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', kid: 'a', x: x('x'), y: x('y') }],
    })
    await transfer()
    await expect(finish({ redirectUris: [] })).rejects.toMatchObject({ details: { field: 'redirectUris' } })
    await prisma().oAuthClient.update({
      where: { id: app.clientId },
      data: { metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: JSON.parse(jwks) } },
    })
    for (const publicKeys of [undefined, '', jwks, ` ${jwks} `]) {
      await expect(finish({ publicKeys })).rejects.toMatchObject({ details: { field: 'publicKeys' } })
    }
    const { secret } = await finish({ publicKeys: 'https://new.example/jwks.json' })
    expect(secret).toBeUndefined()
    expect((await row()).metadata).toMatchObject({ jwks_uri: 'https://new.example/jwks.json' })
    expect((await row()).metadata).not.toHaveProperty('jwks')
  })

  it('replaces the former owner’s keys if the app must sign its requests, and deletes keys that the app does not need', async () => {
    const former = { jwks_uri: 'https://former.example/jwks.json' }
    const set = (metadata: object) =>
      prisma().oAuthClient.update({ where: { id: app.clientId }, data: { metadata: { ...metadata } } })
    await transfer()
    await set({ ...former, require_signed_request_object: true })
    for (const publicKeys of [undefined, former.jwks_uri]) {
      await expect(finish({ publicKeys })).rejects.toMatchObject({ details: { field: 'publicKeys' } })
    }
    expect((await finish({ publicKeys: 'https://new.example/jwks.json' })).secret).toBeDefined()
    expect((await row()).metadata).toMatchObject({ jwks_uri: 'https://new.example/jwks.json' })
    await set(former)
    await prisma().oAuthClient.update({ where: { id: app.clientId }, data: { transferredAt: new Date() } })
    await finish()
    expect((await row()).metadata).not.toHaveProperty('jwks_uri')
  })

  it('keeps the settings that another admin changes at the same moment', async () => {
    await transfer()
    const change = `UPDATE oauth_clients SET metadata = metadata || '{"description":"Ships."}' WHERE id = $1`
    expect(await whileUncommitted([[change, [app.clientId]]], () => finish())).toBe('ok')
    expect((await row()).metadata).toMatchObject({ description: 'Ships.' })
  })

  it('can be finished only once, and only by an admin of the new workspace', async () => {
    await transfer()
    expect(await outcomeOf(finishTransfer(session(giver.user), app.clientId, {}))).toBe('NOT_FOUND')
    const outcomes = await Promise.all([outcomeOf(finish()), outcomeOf(finish())])
    expect(outcomes.sort()).toEqual(['CONFLICT', 'ok'])
    expect(await secrets()).toHaveLength(1)
    expect(await outcomeOf(finish())).toBe('CONFLICT')
  })
})

it('under the policy “own apps only”, a transferred app counts as the workspace’s own only after the transfer is finished', async () => {
  const user = await makeUser()
  await prisma().workspaceMember.create({
    data: { workspaceId: to.id, userId: user.id, role: 'MEMBER' },
  })
  const { makeAccessToken } = await import('@/lib/testing/access-token')
  const made = await makeAccessToken(user, ['openid', 'workspace:member'], { workspaces: [to] })
  await prisma().oAuthClient.update({
    where: { id: made.client.id },
    data: { workspaceId: giver.workspace.id },
  })
  app = { ...app, clientId: made.client.id, redirectUri: made.client.redirectUris[0] as string }
  await prisma().workspace.update({ where: { id: to.id }, data: { appPolicy: 'OWN' } })
  const reads = async () => {
    const caller = await callerFromBearer(made.token)
    return caller ? outcomeOf(requireWorkspace(caller.actor, 'workspace:read', to.id)) : 'dead'
  }
  expect(await reads()).toBe('APP_NOT_APPROVED')
  await transfer()
  expect(await reads()).toBe('APP_NOT_APPROVED')
  await finish()
  expect(await reads()).toBe('ok')
})

it('accepting a transfer removes the app’s verified domain and back-channel logout URI', async () => {
  await prisma().appDomain.create({
    data: { clientId: app.clientId, domain: 'former.example', token: 't', verifiedAt: new Date() },
  })
  await updateApp(session(giver.user), app.clientId, { backchannelLogoutUri: 'https://former.example/out' })
  await transfer()
  expect(await prisma().appDomain.count({ where: { clientId: app.clientId } })).toBe(0)
  expect((await row()).metadata).not.toHaveProperty('backchannel_logout_uri')
})

const x = (fill: string) => Buffer.from(fill.repeat(32)).toString('base64url')
