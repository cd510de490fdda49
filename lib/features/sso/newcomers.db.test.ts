import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { identitiesAtProvider } from '@/lib/policy/required-sso'
import { joinWorkspace, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { lockWaits } from '@/lib/testing/lock-waits'
import { accessByAssertion } from './access-by-assertion'
import { setProvider } from './identity-provider'
import { signInWithSso } from './sign-in-with-sso'

/**
 * Tests first sign-ins through a provider that are concurrent with another first sign-in or with a change to
 * the provider.
 */
const issuer = 'https://idp.example.test/shared'
let domain: string
let admin: { kind: 'session'; userId: string; sessionId: string; instanceAdmin: boolean }
let workspaceId: string
let clientId: string
let holder: PoolClient

beforeEach(async () => {
  domain = `${randomUUID()}.example.test`
  const [root, ada, grace] = [
    await makeUser(),
    await makeUser({ email: `ada@${domain}` }),
    await makeUser({ email: `grace@${domain}` }),
  ]
  admin = { kind: 'session', userId: root.id, sessionId: randomUUID(), instanceAdmin: false }
  const workspace = await makeWorkspace([[root, 'ADMIN']])
  workspaceId = workspace.id
  for (const user of [ada, grace]) await joinWorkspace(workspace, user, 'MEMBER')
  await prisma().workspaceIdentityProvider.create({
    data: { workspaceId, issuer, clientId: 'c', domain, token: randomUUID(), verifiedAt: new Date() },
  })
  clientId = (await makeClient(undefined)).client.id
  await prisma().managedApp.create({ data: { workspaceId, clientId, scopes: ['workspace:member'] } })
  holder = await pool().connect()
  await holder.query('BEGIN')
})
afterEach(() => holder.release(true))

/** Locks the provider's row until `COMMIT`. Requests that lock the same row wait. */
const hold = () =>
  holder.query('SELECT 1 FROM workspace_identity_providers WHERE workspace_id = $1 FOR UPDATE', [workspaceId])

/**
 * Starts the requests, and releases the lock when each of them is waiting for the provider or has finished.
 */
async function together(...asked: Promise<unknown>[]) {
  const outcomes = Promise.all(
    asked.map((each) =>
      each.then(
        () => 'ok',
        (error) => (error.code ?? error.reason) as string,
      ),
    ),
  )
  const waiting = () => lockWaits('workspace_identity_providers')
  await Promise.race([outcomes, expect.poll(waiting, { timeout: 15_000 }).toBe(asked.length)])
  await holder.query('COMMIT')
  return (await outcomes).sort()
}

const signIn = (name: string, tenant: string, sub = name) =>
  signInWithSso(
    { workspaceId, issuer },
    {
      sub,
      tenant,
      email: `${name}@${domain}`,
      emailVerified: true,
      name: undefined,
      avatarUrl: undefined,
    },
  )

async function redeem(name: string, tenant: string, subject = name) {
  const { keep } = await accessByAssertion(
    {
      issuer,
      subject,
      tenant,
      jti: randomUUID(),
      exp: 0,
      email: `${name}@${domain}`,
      addressClaims: { emailVerified: true, tenant },
      scopes: undefined,
      resources: [],
      boundTo: undefined,
      methods: [],
    },
    clientId,
  )
  await keep()
}

const known = () => prisma().identity.findMany({ where: identitiesAtProvider(workspaceId) })

describe('concurrent first sign-ins', () => {
  it.each([
    ['sign-ins', () => [signIn('ada', 'one'), signIn('grace', 'two')], ['FORBIDDEN', 'ok']],
    ['assertions', () => [redeem('ada', 'one'), redeem('grace', 'two')], ['ok', 'tenant']],
  ])('link a user from only one of two tenants (%s)', async (_name, ask, expected) => {
    await hold()
    expect(await together(...ask())).toEqual(expected)
    expect(await known()).toHaveLength(1)
  })

  it.each([
    ['sign-ins', () => [signIn('ada', 'one', '1'), signIn('ada', 'one', '2')], ['CONFLICT', 'ok']],
    ['assertions', () => [redeem('ada', 'one', '1'), redeem('ada', 'one', '2')], ['changed', 'ok']],
    ['equal assertions', () => [redeem('ada', 'one', '1'), redeem('ada', 'one', '1')], ['ok', 'ok']],
    [
      'assertions with the same subject',
      () => [redeem('ada', 'one', '1'), redeem('grace', 'one', '1')],
      ['changed', 'ok'],
    ],
  ])(
    'link an identity to only one email address, and an email address to only one identity (%s)',
    async (_name, ask, expected) => {
      await hold()
      expect(await together(...ask())).toEqual(expected)
      expect(await known()).toHaveLength(1)
    },
  )

  it('link no user if the provider is replaced before they finish', async () => {
    await hold()
    await holder.query('UPDATE workspace_identity_providers SET issuer = $2 WHERE workspace_id = $1', [
      workspaceId,
      'https://idp.example.test/other',
    ])
    expect(await together(signIn('ada', 'one'), redeem('grace', 'one'))).toEqual(['FORBIDDEN', 'tenant'])
    expect(await known()).toEqual([])
  })

  it('leave no user linked if the provider is replaced immediately after they finish', async () => {
    await hold()
    const { rows } = await holder.query('SELECT id FROM users WHERE email = $1', [`ada@${domain}`])
    await holder.query(`INSERT INTO identities (provider, subject, user_id) VALUES ($1, '1', $2)`, [
      `workspace:${workspaceId}`,
      rows[0].id,
    ])
    const other = { issuer: 'https://idp.example.test/other', clientId: 'c', domain }
    expect(await together(setProvider(admin, workspaceId, other))).toEqual(['ok'])
    expect(await known()).toEqual([])
  })
})
