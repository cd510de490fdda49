import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

/** Access to personal data (docs/api/contract.md, section 11). */
const api = serveGraphQL()

const outcomes = async (token: string) => {
  const seen: Record<string, string> = {}
  for (const field of ['id', 'name', 'email', 'avatar', 'workspaces { id }']) {
    const { errors } = await api.execute(token, `{ me { ${field} } }`)
    const { code, requiredScope } = errors?.[0]?.extensions ?? {}
    seen[field.split(' ')[0] as string] = String(requiredScope ?? code ?? 'ok')
  }
  return seen
}

describe('personal fields', () => {
  it.each([
    [
      'openid',
      { id: 'ok', name: 'profile', email: 'email', avatar: 'profile', workspaces: 'workspace:viewer' },
    ],
    [
      'openid email',
      { id: 'ok', name: 'profile', email: 'ok', avatar: 'profile', workspaces: 'workspace:viewer' },
    ],
    [
      'openid profile',
      { id: 'ok', name: 'ok', email: 'email', avatar: 'ok', workspaces: 'workspace:viewer' },
    ],
    [
      'openid workspace:viewer',
      { id: 'ok', name: 'profile', email: 'email', avatar: 'profile', workspaces: 'ok' },
    ],
  ])('are limited by scope for an app with %s', async (scopes, expected) => {
    const made = await makeAccessToken(await makeUser(), scopes.split(' '))
    expect(await outcomes(made.token)).toEqual(expected)
  })

  it('are all visible to an account token', async () => {
    const { token } = await makeApiToken(await makeUser())
    expect(Object.values(await outcomes(token))).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
  })

  it('do not include the user’s email address or avatar for workspace and project tokens', async () => {
    const user = await makeUser()
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const project = await makeProject(workspace)
    const expected = { id: 'ok', name: 'ok', email: 'FORBIDDEN', avatar: 'FORBIDDEN', workspaces: 'ok' }
    for (const limit of [{ workspace }, { project }]) {
      const { token } = await makeApiToken(user, limit)
      expect(await outcomes(token)).toEqual(expected)
    }
  })

  it('are null without access, but do not affect the rest of the response', async () => {
    const user = await makeUser()
    const made = await makeAccessToken(user, ['openid', 'profile'])
    const reply = await api.execute(made.token, '{ me { id name email } }')
    expect(reply.data).toEqual({ me: { id: user.id, name: user.name, email: null } })
    expect(reply.errors?.[0]?.path).toEqual(['me', 'email'])
  })

  it('require their scopes both in the token and in the current authorization', async () => {
    const user = await makeUser()
    const less = await makeAccessToken(user, ['openid', 'email', 'profile'], {
      tokenScopes: ['openid', 'profile'],
    })
    expect((await outcomes(less.token)).email).toBe('email')
    const cut = await makeAccessToken(user, ['openid'], { tokenScopes: ['openid', 'email'] })
    expect((await outcomes(cut.token)).email).toBe('email')
  })

  it('include only the workspaces that a token can access', async () => {
    const user = await makeUser()
    const [one, two] = [await makeWorkspace([[user, 'ADMIN']]), await makeWorkspace([[user, 'VIEWER']])]
    await makeWorkspace()
    const names = async (token: string) =>
      (await api.execute(token, '{ me { workspaces { name role } } }')).data.me.workspaces
    const account = await makeApiToken(user)
    expect(await names(account.token)).toEqual([
      { name: one.name, role: 'ADMIN' },
      { name: two.name, role: 'VIEWER' },
    ])
    const app = await makeAccessToken(user, ['workspace:member'], { workspaces: [one] })
    expect(await names(app.token)).toEqual([{ name: one.name, role: 'MEMBER' }])
    const confined = await makeApiToken(user, { workspace: two })
    expect(await names(confined.token)).toEqual([{ name: two.name, role: 'VIEWER' }])
    const nothing = await makeAccessToken(user, ['workspace:member'])
    expect(await names(nothing.token)).toEqual([])
  })
})

it('the twoFactorMethods query lists the user’s own methods, but not their secrets', async () => {
  const user = await makeUser()
  const { token } = await makeApiToken(user)
  const query =
    '{ twoFactorMethods { enrolled authenticatorApp recoveryCodeCount passkeys { id name synced } } }'
  const none = { enrolled: false, authenticatorApp: false, recoveryCodeCount: 0, passkeys: [] }
  expect((await api.execute(token, query)).data.twoFactorMethods).toEqual(none)
  for (const owner of [user, await makeUser()]) {
    await prisma().passkey.create({
      data: {
        id: `key of ${owner.id}`,
        userId: owner.id,
        name: 'Laptop',
        publicKey: new Uint8Array(77),
        transports: [],
      },
    })
  }
  await prisma().totpSecret.create({ data: { userId: user.id, sealed: new Uint8Array(40) } })
  await prisma().recoveryCode.create({ data: { userId: user.id, hash: new Uint8Array(32).fill(9) } })
  expect((await api.execute(token, query)).data.twoFactorMethods).toEqual({
    enrolled: true,
    authenticatorApp: false,
    recoveryCodeCount: 1,
    passkeys: [{ id: `key of ${user.id}`, name: 'Laptop', synced: false }],
  })
})
