import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { makeClientKey } from '@/lib/testing/client-key'
import { whileUncommitted } from '@/lib/testing/concurrency'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { createApp } from './create-app'
import { addSecret } from './secrets'
import { editableApp, updateApp } from './update-app'

const ada = await makeUser()
const workspace = await makeWorkspace([[ada, 'ADMIN']])
const actor: Actor = { kind: 'session', userId: ada.id, sessionId: ada.id, instanceAdmin: false }
const { jwks } = await makeClientKey()
const publicKeys = JSON.stringify(jwks)
const privateJwk = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey)

const make = (changes: object = {}) =>
  createApp(actor, {
    workspaceId: workspace.id,
    name: 'App',
    type: 'WEB',
    redirectUris: ['https://app.example/cb'],
    ...changes,
  })
/** Starts a request while another one changes the app's metadata. */
const whileChanged = (id: string, metadata: object, ask: () => Promise<unknown>) => {
  const change = 'UPDATE oauth_clients SET metadata = metadata || $1 WHERE id = $2'
  return whileUncommitted([[change, [JSON.stringify(metadata), id]]], ask)
}
const secretsOf = (clientId: string) => prisma().oAuthClientSecret.count({ where: { clientId } })

describe('an app that uses keys', () => {
  it('has no secrets while it authenticates with a key, and can switch back to a secret', async () => {
    const { app, secret } = await make()
    expect(secret).toMatch(/^lk_cs_/)
    const keyed = await updateApp(actor, app.id, { clientAuthentication: 'PRIVATE_KEY', publicKeys })
    expect(editableApp(keyed)).toMatchObject({ clientAuthentication: 'PRIVATE_KEY' })
    expect(JSON.parse(editableApp(keyed).publicKeys)).toEqual(jwks)
    expect(await secretsOf(app.id)).toBe(0)
    await expect(addSecret(actor, app.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await updateApp(actor, app.id, { clientAuthentication: 'SECRET' })
    expect((await addSecret(actor, app.id)).secret).toMatch(/^lk_cs_/)
  })

  it('keeps new keys if another setting changes at the same moment', async () => {
    const { app } = await make({
      clientAuthentication: 'PRIVATE_KEY',
      publicKeys: 'https://old.example/jwks',
    })
    const outcome = await whileChanged(app.id, { jwks_uri: 'https://new.example/jwks' }, () =>
      updateApp(actor, app.id, { name: 'Another name' }),
    )
    expect(outcome).toBe('ok')
    const { name, metadata } = await prisma().oAuthClient.findUniqueOrThrow({ where: { id: app.id } })
    expect({ name, metadata }).toMatchObject({
      name: 'Another name',
      metadata: { jwks_uri: 'https://new.example/jwks' },
    })
  })

  it('gets no secret from a request that waits while the app gets a key', async () => {
    const { app } = await make()
    const change = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://new.example/jwks' }
    expect(await whileChanged(app.id, change, () => addSecret(actor, app.id))).toBe('CONFLICT')
    expect(await secretsOf(app.id)).toBe(1)
  })

  it('rejects a change that requires another permission since a concurrent change', async () => {
    const { app } = await make({ clientAuthentication: 'PRIVATE_KEY', publicKeys })
    const outcome = await whileChanged(app.id, { token_endpoint_auth_method: 'none' }, () =>
      updateApp(actor, app.id, { highSecurity: true }),
    )
    expect(outcome).toBe('CONFLICT')
  })

  it('is created without a secret if it authenticates with a key', async () => {
    const { app, secret } = await make({ clientAuthentication: 'PRIVATE_KEY', publicKeys })
    expect(secret).toBeUndefined()
    expect(await secretsOf(app.id)).toBe(0)
  })

  it('can provide its keys as a single key or as a URL, and can remove them', async () => {
    const { app } = await make()
    const keysOf = async (text: string) =>
      editableApp(await updateApp(actor, app.id, { publicKeys: text })).publicKeys
    expect(JSON.parse(await keysOf(JSON.stringify(jwks.keys[0])))).toEqual(jwks)
    expect(await keysOf('https://app.example/jwks.json')).toBe('https://app.example/jwks.json')
    expect(await keysOf('')).toBe('')
  })

  it.each([
    ['a private key', JSON.stringify(privateJwk), /contains a private key/],
    ['a secret', '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}', /contains a private key or a secret/],
    ['a key on another curve', '{"keys":[{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}]}', /P-256/],
    ['a PEM file', '-----BEGIN PUBLIC KEY-----', /Enter a JSON Web Key Set/],
    ['an array', '[]', /This is not a JSON Web Key Set/],
    ['an http address', 'http://app.example/jwks', /begins with https/],
    ['a private address', 'https://10.0.0.1/jwks', /not on the public internet/],
  ])('cannot use %s as its public key, and the error explains why', async (_, text, words) => {
    const { app } = await make()
    await expect(updateApp(actor, app.id, { publicKeys: text })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { fields: { publicKeys: expect.stringMatching(words) } },
    })
  })

  it.each([
    ['authenticates with a key', { clientAuthentication: 'PRIVATE_KEY' }],
    ['signs its requests', { requireSignedRequests: true }],
    ['has high security', { highSecurity: true }],
  ])('must have at least one key if it %s', async (_, change) => {
    const { app } = await make()
    await expect(updateApp(actor, app.id, change)).rejects.toMatchObject({ details: { field: 'publicKeys' } })
    await expect(make(change)).rejects.toMatchObject({ details: { field: 'publicKeys' } })
    const { app: made } = await make({ ...change, publicKeys })
    await expect(updateApp(actor, made.id, { publicKeys: '' })).rejects.toMatchObject({
      details: { field: 'publicKeys' },
    })
  })

  it('cannot be a native app if it authenticates with a key or has high security', async () => {
    const native = { type: 'NATIVE', redirectUris: ['http://127.0.0.1/cb'], publicKeys }
    const field = (change: object) =>
      make({ ...native, ...change }).catch((error) => (error as { details: { field: string } }).details.field)
    expect(await field({ clientAuthentication: 'PRIVATE_KEY' })).toBe('clientAuthentication')
    expect(await field({ highSecurity: true })).toBe('highSecurity')
  })
})

describe('high security', () => {
  it('enables all settings that it requires', async () => {
    const { app } = await make({ highSecurity: true, publicKeys })
    expect(editableApp(app)).toMatchObject({
      clientAuthentication: 'PRIVATE_KEY',
      requirePushedAuthorization: true,
      idTokenAlg: 'ES256',
    })
  })

  it('allows only compatible settings', async () => {
    const { app } = await make({ highSecurity: true, publicKeys, idTokenAlg: 'EdDSA' })
    expect(editableApp(app).idTokenAlg).toBe('EdDSA')
    const open = updateApp(actor, app.id, { redirectUris: ['http://localhost:3000/cb'] })
    await expect(open).rejects.toMatchObject({ details: { field: 'redirectUris' } })
    const secret = updateApp(actor, app.id, { clientAuthentication: 'SECRET' })
    await expect(secret).rejects.toMatchObject({ details: { field: 'clientAuthentication' } })
    const rsa = updateApp(actor, app.id, { idTokenAlg: 'RS256' })
    await expect(rsa).rejects.toMatchObject({ details: { field: 'idTokenAlg' } })
    const plain = updateApp(actor, app.id, { requirePushedAuthorization: false })
    await expect(plain).rejects.toMatchObject({ details: { field: 'requirePushedAuthorization' } })
    await updateApp(actor, app.id, { redirectUris: ['http://127.0.0.1:3000/cb'] })
  })
})
