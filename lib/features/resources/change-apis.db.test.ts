import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { makeApi, makeApiAdmin } from '@/lib/testing/api-world'
import { makeUser } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { authenticateApi, findApi, registeredApis } from './apis'
import { deleteApi, registerApi, updateApi } from './change-apis'
import { addApiSecret, revokeApiSecret } from './credentials'
import { getApi, listApis } from './list-apis'
import { applyResourcesFile } from './resources-file'

const admin = await makeApiAdmin()

let made = 0

/** Returns valid input with unique names. */
function input(fields: object = {}) {
  const number = ++made
  return {
    identifier: `https://api${number}.example.com`,
    name: `API ${number}`,
    scopes: [{ name: `api${number}:read`, description: 'Read things' }],
    ...fields,
  }
}

const scope = (fields: object) => ({
  scopes: [{ name: `own${++made}:read`, description: 'Read', ...fields }],
})

const lastEvent = (resourceId: string) =>
  prisma().auditEvent.findFirstOrThrow({ where: { resourceId }, orderBy: { id: 'desc' } })

describe('API registration', () => {
  it('stores the API with defaults, one secret, and an audit event', async () => {
    const given = input()
    const { api, secret } = await registerApi(admin, given)
    expect(api).toMatchObject({
      ...given,
      tokenFormat: 'OPAQUE',
      tokenLifetime: 3600,
      signingAlgorithm: 'RS256',
      fromFile: false,
      scopes: [{ ...given.scopes[0], sensitivity: 'LOW', selects: 'NOTHING' }],
    })
    expect(await findApi(given.identifier)).toMatchObject({ id: api.id })
    expect(await findApi(`${given.identifier}/`)).toMatchObject({ id: api.id })
    expect(await authenticateApi(api.id, secret)).toMatchObject({ id: api.id })
    expect(await lastEvent(api.id)).toMatchObject({ action: 'api.registered', userId: admin.userId })
  })

  it.each([
    ['identifier', { identifier: '' }],
    ['identifier', { identifier: 'deployments' }],
    ['identifier', { identifier: 'http://api.example.com' }],
    ['identifier', { identifier: 'https://api.example.com/#part' }],
    ['identifier', { identifier: 'https://api.example.com/' }],
    ['identifier', { identifier: 'https://user:secret@api.example.com' }],
    ['identifier', { identifier: 'https://API.example.com' }],
    ['identifier', { identifier: `https://api.example.com/${'a'.repeat(200)}` }],
    ['name', { name: ' ' }],
    ['tokenFormat', { tokenFormat: 'PASETO' }],
    ['tokenLifetime', { tokenLifetime: 5 }],
    ['tokenLifetime', { tokenLifetime: 1.5 }],
    ['tokenLifetime', { tokenFormat: 'JWT', tokenLifetime: 3600 }],
    ['signingAlgorithm', { signingAlgorithm: 'none' }],
    ['scopes', { scopes: [] }],
    ['scopes', scope({ name: 'With Spaces' })],
    ['scopes', scope({ name: 'openid' })],
    ['scopes', scope({ name: 'project:deploy' })],
    ['scopes', scope({ name: 'phone' })],
    ['scopes', scope({ name: 'a'.repeat(65) })],
    ['scopes', scope({ description: '' })],
    ['scopes', scope({ sensitivity: 'SECRET' })],
    ['scopes', scope({ selects: 'USERS' })],
    ['scopes', { scopes: Array(2).fill({ name: 'twice:read', description: 'Read' }) }],
  ])('rejects an invalid %s: %j', async (field, fields) => {
    const before = (await registeredApis()).length
    const error = await registerApi(admin, input(fields)).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(JSON.stringify(error.fields ?? error.field ?? error)).toContain(field)
    expect(await registeredApis()).toHaveLength(before)
  })

  it('rejects an identifier or a scope that another API already uses', async () => {
    const taken = input()
    await registerApi(admin, taken)
    await expect(registerApi(admin, input({ identifier: taken.identifier }))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(registerApi(admin, input({ scopes: taken.scopes }))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('requires an instance admin, as do listing and deleting APIs and adding secrets', async () => {
    const user = sessionOf({ user: await makeUser() })
    const forbidden = { code: 'FORBIDDEN' }
    await expect(registerApi(user, input())).rejects.toMatchObject(forbidden)
    await expect(listApis(user)).rejects.toMatchObject(forbidden)
    await expect(deleteApi(user, 'lk_api_unknown')).rejects.toMatchObject(forbidden)
    await expect(addApiSecret(user, 'lk_api_unknown')).rejects.toMatchObject(forbidden)
  })
})

describe('an API update', () => {
  it('removes scopes that the new list omits, and keeps other omitted settings', async () => {
    const given = input({
      scopes: [
        { name: `first${made}:read`, description: 'Read' },
        { name: `first${made}:write`, description: 'Write' },
      ],
    })
    const { api } = await registerApi(admin, given)
    const kept = given.scopes[0]
    const changed = await updateApi(admin, api.id, { name: 'Renamed', scopes: [kept] })
    expect(changed).toMatchObject({ name: 'Renamed', tokenLifetime: 3600, scopes: [kept] })
    expect(await findApi(given.identifier)).toMatchObject({ name: 'Renamed' })
    expect((await lastEvent(api.id)).details).toMatchObject({ name: 'Renamed', scopes: [kept?.name] })
  })

  it('sets the default lifetime for a new token format, and rejects a lifetime that is too long for the format', async () => {
    const { api } = await registerApi(admin, input())
    expect(await updateApi(admin, api.id, { tokenFormat: 'JWT' })).toMatchObject({ tokenLifetime: 300 })
    await expect(updateApi(admin, api.id, { tokenLifetime: 3600 })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })

  it('fails with NOT_FOUND if the API does not exist, as do reading and deleting it', async () => {
    const notFound = { code: 'NOT_FOUND' }
    await expect(updateApi(admin, 'gone', {})).rejects.toMatchObject(notFound)
    await expect(deleteApi(admin, 'gone')).rejects.toMatchObject(notFound)
    await expect(getApi(admin, 'gone')).rejects.toMatchObject(notFound)
  })
})

describe('the secrets of an API', () => {
  it('are limited to two per API and stop working when they are revoked', async () => {
    const { api, secret } = await registerApi(admin, input())
    const { record, secret: second } = await addApiSecret(admin, api.id)
    await expect(addApiSecret(admin, api.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await authenticateApi(api.id, second)).toBeDefined()
    await revokeApiSecret(admin, api.id, record.id)
    expect(await authenticateApi(api.id, second)).toBeUndefined()
    expect(await authenticateApi(api.id, secret)).toBeDefined()
    await expect(revokeApiSecret(admin, api.id, record.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('RESOURCES_FILE', () => {
  afterEach(async () => {
    vi.unstubAllEnvs()
    resetConfig()
    await applyResourcesFile()
  })

  const apply = (content: unknown) => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'latchkey-apis-')), 'apis.json')
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    vi.stubEnv('RESOURCES_FILE', file)
    resetConfig()
    return applyResourcesFile()
  }

  it('creates and changes the APIs that it defines, and deletes APIs that it no longer defines', async () => {
    const [one, two] = [input(), input()]
    await apply({ apis: [one, two] })
    const first = await findApi(one.identifier)
    expect(first).toMatchObject({ name: one.name })
    await apply({ apis: [{ ...one, name: 'Changed' }] })
    expect(await findApi(one.identifier)).toMatchObject({ id: first?.id, name: 'Changed' })
    expect(await findApi(two.identifier)).toBeUndefined()
  })

  it('defines APIs that cannot be changed or deleted in the console, but can get new secrets there', async () => {
    const given = input()
    await apply({ apis: [given] })
    const { id = '' } = (await findApi(given.identifier)) ?? {}
    await expect(updateApi(admin, id, { name: 'Other' })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(deleteApi(admin, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await addApiSecret(admin, id)).secret).toMatch(/^lk_aps_/)
  })

  it('affects an API that was created in the console only if the file defines the API', async () => {
    const own = input()
    const { api } = await registerApi(admin, own)
    await apply({ apis: [] })
    expect(await getApi(admin, api.id)).toMatchObject({ fromFile: false })
    await apply({ apis: [own] })
    expect(await getApi(admin, api.id)).toMatchObject({ fromFile: true })
  })

  it.each([
    ['{', 'JSON'],
    ['[]', 'object'],
    [{ apis: {} }, '"apis" must be a list'],
    [{ api: [] }, 'unknown key "api"'],
    [{ apis: [{ ...input(), nmae: 'x' }] }, 'unknown key "nmae"'],
    [{ apis: [input({ name: undefined })] }, 'apis[0].name'],
    [{ apis: [input({ tokenLifetime: 1 })] }, 'apis[0].tokenLifetime'],
    [{ apis: [input(scope({ name: 'No' }))] }, 'apis[0].scopes[0].name'],
    [{ apis: Array(2).fill(input()) }, 'apis[1].identifier'],
  ])('with the content %j is rejected with an error that identifies the problem', async (content, place) => {
    await expect(apply(content)).rejects.toThrow(place)
    vi.stubEnv('RESOURCES_FILE', undefined)
  })
})

it('the list of APIs shows the number of users and apps of each API', async () => {
  const { id } = await makeApi()
  expect((await listApis(admin)).find((api) => api.id === id)).toMatchObject({ users: 0, apps: 0 })
})
