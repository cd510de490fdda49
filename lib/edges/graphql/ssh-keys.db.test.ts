import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** The accepted types of SSH keys, and access to SSH keys. */
const api = serveGraphQL()

const tokenOf = async (user: { id: string }) => (await makeApiToken(user)).token
const run = async (token: string, query: string, variables?: object) => {
  const { data, errors } = await api.execute(token, query, variables)
  return errors ? String(errors[0]?.extensions.code) : data
}

const sshKey = (type: 'ed25519' | 'rsa', bits = 2048): string => {
  const pair =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: bits }) : generateKeyPairSync('ed25519')
  const jwk = pair.publicKey.export({ format: 'jwk' })
  const field = (bytes: Buffer) =>
    Buffer.concat([Buffer.from([0, 0, bytes.length >> 8, bytes.length & 255]), bytes])
  const integer = (text = '') => {
    const bytes = Buffer.from(text, 'base64url')
    return (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
  }
  const [name, parts] =
    type === 'rsa'
      ? (['ssh-rsa', [integer(jwk.e), integer(jwk.n)]] as const)
      : (['ssh-ed25519', [Buffer.from(jwk.x ?? '', 'base64url')]] as const)
  return `${name} ${Buffer.concat([Buffer.from(name), ...parts].map(field)).toString('base64')} ada@laptop`
}

describe('SSH keys', () => {
  const add =
    'mutation ($key: String!) { sshPublicKeyCreate(input: { publicKey: $key }) { id name publicKey fingerprint } }'
  const list = '{ sshPublicKeys { edges { node { name } } } }'

  it('are named after their comment, have a fingerprint, and belong to only one user', async () => {
    const user = await makeUser()
    const token = await tokenOf(user)
    const key = sshKey('ed25519')
    const made = (await run(token, add, { key })).sshPublicKeyCreate
    expect(made).toMatchObject({ name: 'ada@laptop', publicKey: key.replace(' ada@laptop', '') })
    expect(made.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
    expect(await run(await tokenOf(await makeUser()), add, { key })).toBe('CONFLICT')
    const drop = 'mutation ($id: ID!) { sshPublicKeyDelete(id: $id) }'
    expect(await run(await tokenOf(await makeUser()), drop, { id: made.id })).toBe('NOT_FOUND')
    expect(await run(token, drop, { id: made.id })).toEqual({ sshPublicKeyDelete: true })
    expect(await run(token, list)).toEqual({ sshPublicKeys: { edges: [] } })
  })

  it.each([
    ['an empty value', ''],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    ['a short RSA key', sshKey('rsa', 1024)],
    ['a truncated key', sshKey('ed25519').slice(0, 60)],
    ['a key with the wrong type name', sshKey('ed25519').replace('ssh-ed25519', 'ssh-rsa')],
    ['a key of an insecure type', 'ssh-dss AAAAB3NzaC1kc3MAAACB'],
    ['two keys', `${sshKey('ed25519')}\n${sshKey('ed25519')}`],
  ])('cannot be created from %s', async (_title, key) => {
    expect(await run(await tokenOf(await makeUser()), add, { key })).toBe('BAD_USER_INPUT')
  })

  it('are limited to 100 per user, even if several are added at the same moment', async () => {
    const user = await makeUser()
    const token = await tokenOf(user)
    const data = Array.from({ length: 99 }, (_, at) => {
      const text = `${user.id}-${at}`
      return { userId: user.id, name: `Key ${at}`, publicKey: text, fingerprint: text }
    })
    await prisma().sshPublicKey.createMany({ data })
    const added = await Promise.all(
      Array.from({ length: 5 }, () => run(token, add, { key: sshKey('ed25519') })),
    )
    expect(added.filter((answer) => answer === 'CONFLICT')).toHaveLength(4)
    expect(await prisma().sshPublicKey.count({ where: { userId: user.id } })).toBe(100)
  })

  it('can be RSA keys with at least 2048 bits', async () => {
    expect(await run(await tokenOf(await makeUser()), add, { key: sshKey('rsa') })).toHaveProperty(
      'sshPublicKeyCreate',
    )
  })

  it('are available to apps with the ssh_keys scope, but not to other apps or workspace tokens', async () => {
    const user = await makeUser()
    expect(await run((await makeAccessToken(user, ['ssh_keys'])).token, list)).toHaveProperty('sshPublicKeys')
    expect(await run((await makeAccessToken(user, ['openid'])).token, list)).toBe('INSUFFICIENT_SCOPE')
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    expect(await run((await makeApiToken(user, { workspace })).token, list)).toBe('FORBIDDEN')
  })
})
