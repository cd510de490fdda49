import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'
import { joinWorkspace, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { createApiToken, createProjectToken } from './create-api-token'
import { listTokenPlaces } from './list-api-tokens'
import { revokeApiToken } from './revoke-api-token'
import { searchOwnTokens } from './search-tokens'

const page = { number: 1, size: 50 }
const world = async () => {
  const ada = await makeUser({ name: 'Ada' })
  const grace = await makeUser({ name: 'Grace' })
  const acme = await makeWorkspace([[ada, 'ADMIN']], { name: 'Acme' })
  const zeta = await makeWorkspace(
    [
      [ada, 'MEMBER'],
      [grace, 'ADMIN'],
    ],
    { name: 'Zeta' },
  )
  const globex = await makeWorkspace([[grace, 'ADMIN']], { name: 'Globex' })
  const website = await makeProject(acme, [], { name: 'Website' })
  const mine = await makeProject(zeta, [[ada, 'ADMIN']], { name: 'Mine' })
  await makeProject(zeta, [], { name: 'Not mine' })
  const compiler = await makeProject(globex, [[ada, 'ADMIN']], { name: 'Compiler' })
  await makeProject(globex, [[ada, 'MEMBER']], { name: 'Orbit' })
  const session = (userId: string): SessionActor => ({
    kind: 'session',
    userId,
    sessionId: randomUUID(),
    instanceAdmin: false,
  })
  return { ada: session(ada.id), grace: session(grace.id), acme, website, mine, compiler, zeta }
}
let made: Awaited<ReturnType<typeof world>>
beforeAll(async () => {
  made = await world()
})

it('the token form offers the user’s workspaces and the projects in which the user manages tokens, grouped by workspace', async () => {
  const places = await listTokenPlaces(made.ada)
  expect(places.map((place) => ('workspace' in place ? [place.workspace, place.name] : place.name))).toEqual([
    'Acme',
    ['Acme', 'Website'],
    'Zeta',
    ['Zeta', 'Mine'],
    ['Globex', 'Compiler'],
  ])
})

it('a user’s token list shows all tokens that the user created, with the workspace or project of each, but no other user’s tokens', async () => {
  const { ada, grace, acme, website, compiler, zeta } = made
  await createApiToken(ada, { name: 'all' })
  await createApiToken(ada, { name: 'acme', workspaceId: acme.id })
  await createProjectToken(ada, { name: 'site', projectId: website.id })
  await createProjectToken(ada, { name: 'compiler', projectId: compiler.id })
  await createApiToken(ada, { name: 'zeta', workspaceId: zeta.id })
  await createApiToken(grace, { name: 'hers' })
  await prisma().workspaceMember.deleteMany({ where: { workspaceId: zeta.id, userId: ada.userId } })
  const { rows } = await searchOwnTokens(ada, '', page)
  expect(rows.map(({ name, place }) => [name, place])).toEqual([
    ['acme', 'Acme'],
    ['all', undefined],
    ['compiler', 'Globex / Compiler'],
    ['site', 'Acme / Website'],
    ['zeta', null],
  ])
  await joinWorkspace(zeta, { id: ada.userId }, 'MEMBER')
})

it('users who lose the role required to create project tokens can still revoke their own tokens, but not those of other users', async () => {
  const { ada, grace, mine } = made
  const { token } = await createProjectToken(ada, { name: 'deploy', projectId: mine.id })
  const hers = await createProjectToken(grace, { name: 'hers', projectId: mine.id })
  await prisma().projectMember.deleteMany({ where: { userId: ada.userId, projectId: mine.id } })
  await revokeApiToken(ada, token.id)
  expect(await prisma().apiToken.count({ where: { id: token.id } })).toBe(0)
  await expect(revokeApiToken(ada, hers.token.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
