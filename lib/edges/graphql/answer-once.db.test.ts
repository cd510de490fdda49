import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { claimKey, forgetKeys, maxKeys, settleRun } from '@/lib/features/api-tokens/idempotency-keys'
import { makeAccessToken } from '@/lib/testing/access-token'
import { joinWorkspace, makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const api = serveGraphQL()

const create =
  'mutation ($w: ID!, $n: String!) { projectCreate(input: { workspaceId: $w, name: $n }) { id } }'
let user: { id: string }
let w: string
let token: string

beforeEach(async () => {
  await prisma().keyedRequest.deleteMany()
  user = await makeUser()
  w = (await makeWorkspace([[user, 'ADMIN']])).id
  token = (await makeApiToken(user)).token
})

const send = (key: string, variables: object, { as = token, query = create } = {}) =>
  api.send({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${as}`,
      'idempotency-key': key,
    },
    body: JSON.stringify({ query, variables }),
  })
const projects = () => prisma().project.count({ where: { workspaceId: w } })
const code = (reply: Awaited<ReturnType<typeof send>>) => [reply.status, reply.errors?.[0]?.extensions.code]
const theRow = () => prisma().keyedRequest.findFirstOrThrow()
const change = (data: { startedAt?: Date; createdAt?: Date; changedAt?: Date; sealedAnswer?: null }) =>
  prisma().keyedRequest.updateMany({ data })

describe('a mutation with an Idempotency-Key', () => {
  it('can be repeated if its response was too long to store, unless it made a change', async () => {
    const request = { credentialId: user.id, key: 'long', asked: 'mutation' }
    const long = 'x'.repeat(70_000)
    for (const attempt of [1, 2]) {
      const claimed = await claimKey(request)
      if (!('run' in claimed)) throw new Error(`attempt ${attempt} was not executed`)
      if (attempt === 2) await change({ changedAt: new Date() })
      await settleRun(request, claimed.run, long)
    }
    await expect(claimKey(request)).rejects.toThrow('made a change')
  })

  it('is executed once, and repeated requests get the first response', async () => {
    const first = await send('"k-1"', { w, n: 'Atlas' })
    const again = await send('k-1', { n: 'Atlas', w })
    expect(first.data.projectCreate.id).toMatch(/-/)
    expect([again.data, again.errors]).toEqual([first.data, undefined])
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(again.extensions.traceId).not.toBe(first.extensions.traceId)
    expect(await projects()).toBe(1)
  })

  it('returns its one-time secret again when it is repeated, and the secret is stored encrypted', async () => {
    const query =
      'mutation ($n: String!) { apiTokenCreateWithDetails(input: { name: $n }) { apiToken { id } secret } }'
    const first = await send('s', { n: 'CI' }, { query })
    const { secret } = first.data.apiTokenCreateWithDetails
    expect((await send('s', { n: 'CI' }, { query })).data).toEqual(first.data)
    expect((await api.execute(secret, '{ me { id } }')).data.me.id).toBe(user.id)
    const { sealedAnswer } = await theRow()
    expect(sealedAnswer?.length).toBeGreaterThan(secret.length)
    expect(Buffer.from(sealedAnswer ?? []).includes(secret)).toBe(false)
  })

  it('returns the same errors and completed fields when it is repeated', async () => {
    const query = `mutation ($w: ID!) { a: projectCreate(input: { workspaceId: $w, name: "A" }) { id }
      b: projectDelete(id: "nope") }`
    const first = await send('p', { w }, { query })
    const again = await send('p', { w }, { query })
    expect(first.errors).toHaveLength(1)
    expect([again.data, again.errors]).toEqual([first.data, first.errors])
    expect(await projects()).toBe(1)
  })

  it('is rejected if the key was used with a different request', async () => {
    await send('k', { w, n: 'Atlas' })
    expect(code(await send('k', { w, n: 'Other' }))).toEqual([400, 'BAD_REQUEST'])
    expect(await projects()).toBe(1)
  })

  it('is rejected while the first attempt runs, and gets that attempt’s response afterward', async () => {
    let first: ReturnType<typeof send> | undefined
    await prisma().$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${w}::uuid FOR UPDATE`
      first = send('c', { w, n: 'Atlas' })
      while ((await prisma().keyedRequest.count()) === 0) await sleep(10)
      const second = await send('c', { w, n: 'Atlas' })
      expect(code(second)).toEqual([200, 'CONFLICT'])
      expect(second.errors?.[0]?.extensions.retryAfter).toBe(1)
    })
    expect((await send('c', { w, n: 'Atlas' })).data ?? (await first)?.data).toEqual((await first)?.data)
    expect(await projects()).toBe(1)
  })

  it('has no effect if its key is deleted while it runs', async () => {
    let late: ReturnType<typeof send> | undefined
    await prisma().$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${w}::uuid FOR UPDATE`
      late = send('l', { w, n: 'Atlas' })
      while ((await prisma().keyedRequest.count()) === 0) await sleep(10)
      await prisma().keyedRequest.deleteMany()
    })
    expect(code((await late) as Awaited<typeof late> & object)).toEqual([200, 'CONFLICT'])
    expect(await projects()).toBe(0)
  })

  it('can reuse its key after an attempt that failed without changing anything', async () => {
    await joinWorkspace({ id: w }, user, 'VIEWER')
    expect(code(await send('f', { w, n: 'Atlas' }))).toEqual([200, 'FORBIDDEN'])
    expect(code(await send('f', { w, n: '' }))).toEqual([200, 'BAD_USER_INPUT'])
    await joinWorkspace({ id: w }, user, 'MEMBER')
    expect((await send('f', { w, n: 'Mended' })).data.projectCreate.id).toMatch(/-/)
    expect(await projects()).toBe(1)
  })

  it('is executed again if another token or app sends it, but is rejected if the token’s scopes have changed', async () => {
    const other = (await makeApiToken(user)).token
    await send('o', { w, n: 'Atlas' })
    await send('o', { w, n: 'Atlas' }, { as: other })
    expect(await projects()).toBe(2)

    const selected = { workspaces: [{ id: w }] }
    const app = await makeAccessToken(user, ['openid', 'workspace:admin'], selected)
    await send('o', { w, n: 'Atlas' }, { as: app.token })
    await prisma().oAuthArtifact.update({
      where: { hash: app.artifact.hash },
      data: { payload: { kind: 'AccessToken', scope: 'openid' } },
    })
    expect(code(await send('o', { w, n: 'Atlas' }, { as: app.token }))).toEqual([400, 'BAD_REQUEST'])
    expect(await projects()).toBe(3)
  })

  it('is executed again only if the first attempt stopped before it changed anything', async () => {
    const long = new Date(Date.now() - 10 * 60_000)
    await send('d', { w, n: 'Atlas' })
    await prisma().$executeRaw`UPDATE keyed_requests SET changed_at = NULL, sealed_answer = NULL`
    expect(code(await send('d', { w, n: 'Atlas' }))).toEqual([200, 'CONFLICT'])
    await change({ startedAt: long })
    expect((await send('d', { w, n: 'Atlas' })).errors).toBeUndefined()
    expect(await projects()).toBe(2)

    await change({ startedAt: long, sealedAnswer: null })
    const lost = await send('d', { w, n: 'Atlas' })
    expect([...code(lost), lost.errors?.[0]?.extensions.retryAfter]).toEqual([200, 'CONFLICT', undefined])
    expect(await projects()).toBe(2)
  })

  it('can reuse a key that is more than one day old, and such keys are deleted', async () => {
    const yesterday = new Date(Date.now() - 24 * 3_600_000 - 1_000)
    await send('y', { w, n: 'Atlas' })
    await change({ createdAt: yesterday })
    await send('y', { w, n: 'Other' })
    expect(await projects()).toBe(2)
    expect(await forgetKeys()).toBe(0)
    await change({ createdAt: yesterday })
    expect(await forgetKeys()).toBe(1)
  })

  it('is rejected with a new key if too many keys are stored, but still gets its stored response with an existing key', async () => {
    await send('m', { w, n: 'Atlas' })
    const { credentialId } = await theRow()
    await prisma().$executeRaw`
      INSERT INTO keyed_requests (hash, credential_id, run)
      SELECT sha256(n::text::bytea), ${credentialId}::uuid, gen_random_uuid() FROM generate_series(2, ${maxKeys}) n`
    expect(code(await send('one more', { w, n: 'Other' }))).toEqual([400, 'BAD_REQUEST'])
    expect(code(await send('one-more', { w, n: 'Other' }))).toEqual([429, 'RATE_LIMITED'])
    expect((await send('m', { w, n: 'Atlas' })).headers.get('idempotent-replayed')).toBe('true')
    expect(await projects()).toBe(1)
  })

  it.each(['', '""', '"open', 'a,b', '"ä"', 'x'.repeat(256)])(
    'is rejected with the malformed key %j',
    async (key) => {
      expect(code(await send(Buffer.from(key).toString('latin1'), { w, n: 'Atlas' }))).toEqual([
        400,
        'BAD_REQUEST',
      ])
      expect(await projects()).toBe(0)
    },
  )

  it('differs from a query, which ignores the Idempotency-Key header and does not store the key', async () => {
    const query = 'query ($w: ID!) { workspace(workspaceId: $w) { id } }'
    await send('q', { w }, { query })
    expect((await send('q', { w }, { query })).headers.get('idempotent-replayed')).toBeNull()
    expect(await prisma().keyedRequest.count()).toBe(0)
  })
})
