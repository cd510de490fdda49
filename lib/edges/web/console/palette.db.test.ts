import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import type { BrowserSession } from '@/lib/features/identity/sessions/find-live-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { hasTwoFactors } from '@/lib/policy/two-factor'
import { countStatements } from '@/lib/testing/count-statements'
import { joinWorkspace, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { answerPalette, listPalette, type Palette, type PaletteEntry } from './palette'

type User = Awaited<ReturnType<typeof makeUser>>

const sessionOf = (user: User, methods = ['pwd']): BrowserSession => ({
  actor: {
    kind: 'session',
    userId: user.id,
    sessionId: 'none',
    instanceAdmin: user.instanceAdmin,
    twoFactor: hasTwoFactors(methods),
  },
  authTime: new Date(),
  methods,
  user: { id: user.id, name: user.name, email: user.email, avatarUrl: null },
})

const hrefs = (entries: readonly PaletteEntry[]) => entries.map(({ href }) => href)
const labels = (entries: readonly PaletteEntry[], group: string) =>
  entries.filter((entry) => entry.group === group).map(({ label }) => label)

let admin: User
let member: User
let viewer: User
let guest: User
let instanceAdmin: User
let projectId: string
let appId: string

beforeAll(async () => {
  ;[admin, member, viewer, guest] = await Promise.all([makeUser(), makeUser(), makeUser(), makeUser()])
  instanceAdmin = await makeUser({ instanceAdmin: true })
  const tools = await makeWorkspace([], { name: 'Tools', slug: 'tools' })
  await joinWorkspace(tools, admin, 'ADMIN')
  await joinWorkspace(tools, member, 'MEMBER')
  await joinWorkspace(tools, viewer, 'VIEWER')
  const lathe = await makeProject(tools, [[guest, 'VIEWER']], { name: 'Lathe 100%' })
  await makeProject(tools, [], { name: 'Drill' })
  projectId = lathe.id
  appId = (await makeClient(tools, { name: 'Foreman' })).client.id
  const secret = await makeWorkspace([], { name: 'Elsewhere', slug: 'elsewhere' })
  await makeProject(secret, [], { name: 'Lathe of others' })
  await makeClient(secret, { name: 'Foreman of others' })
})

describe('the command palette', () => {
  it('lists every page and action of the workspace for an admin', async () => {
    const { entries, more } = await listPalette(sessionOf(admin), '', 'tools')
    expect(more).toBe(false)
    expect(labels(entries, 'Tools')).toEqual([
      'Projects',
      'Members',
      'Settings: General',
      'Settings: Tokens',
      'Settings: Apps',
      'Settings: Single sign-on',
      'Settings: Developer',
      'Settings: Webhooks',
      'Settings: Usage',
      'Settings: Audit log',
    ])
    expect(labels(entries, 'Actions')).toEqual([
      'New project',
      'New OAuth App',
      'New webhook',
      'Invite people',
      'New token',
      'New workspace',
      'Sign out',
    ])
    expect(entries).toContainEqual({
      group: 'Projects',
      label: 'Lathe 100%',
      hint: 'Tools',
      href: `/workspaces/tools/projects/${projectId}`,
    })
    expect(hrefs(entries)).toContain(`/workspaces/tools/settings/developer/${appId}/overview`)
    expect(labels(entries, 'Instance')).toEqual([])
  })

  it('lists only the pages and actions that members and viewers can use', async () => {
    const ofMember = (await listPalette(sessionOf(member), '', 'tools')).entries
    expect(labels(ofMember, 'Tools')).toEqual(['Projects', 'Members', 'Settings: General'])
    expect(labels(ofMember, 'Actions')).toEqual(['New project', 'New token', 'New workspace', 'Sign out'])
    expect(labels(ofMember, 'Apps')).toEqual([])
    const ofViewer = (await listPalette(sessionOf(viewer), '', 'tools')).entries
    expect(labels(ofViewer, 'Actions')).toEqual(['New token', 'New workspace', 'Sign out'])
    expect(labels(ofViewer, 'Projects')).toEqual(['Drill', 'Lathe 100%'])
  })

  it('lists only the shared project for a user from outside the workspace', async () => {
    const { entries } = await listPalette(sessionOf(guest), '', 'tools')
    expect(labels(entries, 'Projects')).toEqual(['Lathe 100%'])
    expect(labels(entries, 'Tools')).toEqual(['Projects'])
  })

  it('lists the instance pages for an instance admin, but nothing from other users’ workspaces', async () => {
    const { entries } = await listPalette(sessionOf(instanceAdmin), '', undefined)
    expect(labels(entries, 'Instance')).toContain('Signing keys')
    expect(labels(entries, 'Workspaces')).toEqual([])
    expect(labels(entries, 'Docs')).toContain('Web apps')
    expect(labels(entries, 'Account')).toContain('Security')
  })

  it('finds only entries that the user can access, by words in their names and workspaces, and treats wildcards as text', async () => {
    const find = async (search: string) =>
      labels((await listPalette(sessionOf(admin), search, 'tools')).entries, 'Projects')
    expect(await find('lat tools')).toEqual(['Lathe 100%'])
    expect(await find('TOOLS')).toEqual(['Drill', 'Lathe 100%'])
    expect(await find('0%')).toEqual(['Lathe 100%'])
    expect(await find('d_ill')).toEqual([])
    expect(await find('\\')).toEqual([])
    const { entries } = await listPalette(sessionOf(admin), 'audit tools', undefined)
    expect(labels(entries, 'Tools')).toEqual(['Settings: Audit log'])
  })

  it('omits a workspace’s pages in a one-factor session if the workspace requires two-factor authentication', async () => {
    const user = await makeUser()
    const vault = await makeWorkspace([[user, 'ADMIN']], { name: 'Vault', slug: 'vault' })
    await makeProject(vault, [], { name: 'Gold' })
    await makeClient(vault, { name: 'Key' })
    await prisma().workspace.update({ where: { id: vault.id }, data: { requireTwoFactor: true } })
    const one = (await listPalette(sessionOf(user), '', 'vault')).entries
    expect(hrefs(one).filter((href) => href.startsWith('/workspaces/vault'))).toEqual(['/workspaces/vault'])
    const two = (await listPalette(sessionOf(user, ['pwd', 'otp', 'mfa']), '', 'vault')).entries
    expect(labels(two, 'Projects')).toEqual(['Gold'])
    expect(labels(two, 'Apps')).toEqual(['Key'])
  })

  it('limits the number of entries and returns whether there are more, with only three SQL statements', async () => {
    const user = await makeUser()
    const big = await makeWorkspace([[user, 'MEMBER']], { name: 'Big', slug: 'big' })
    await prisma().project.createMany({
      data: Array.from({ length: 60 }, (_, at) => ({ workspaceId: big.id, name: `Part ${at}` })),
    })
    const { value, statements } = await countStatements(() => listPalette(sessionOf(user), '', 'big'))
    expect(value.more).toBe(true)
    expect(labels(value.entries, 'Projects')).toHaveLength(40)
    expect(statements).toHaveLength(3)
    const found = await listPalette(sessionOf(user), 'part 7', 'big')
    expect(labels(found.entries, 'Projects')).toEqual(
      expect.arrayContaining(['Part 7', 'Part 17', 'Part 27', 'Part 37', 'Part 47', 'Part 57']),
    )
  })
})

describe('GET /palette', () => {
  const ask = (headers: Record<string, string>) =>
    answerPalette(
      new Request('http://localhost:3000/palette?search=lathe', {
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
      }),
    )
  const cookieOf = async (user: User) => {
    const sid = await startSession({}, user.id, ['pwd'])
    return (await sessionCookie({ sub: user.id, sid })).split(';', 1)[0] as string
  }

  it('returns the signed-in user’s entries in a response that is not cached', async () => {
    const answer = await ask({ cookie: await cookieOf(admin) })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(labels(((await answer.json()) as Palette).entries, 'Projects')).toEqual(['Lathe 100%'])
  })

  it('rejects signed-out visitors, suspended users, and requests from other sites', async () => {
    expect((await ask({})).status).toBe(401)
    const user = await makeUser()
    const cookie = await cookieOf(user)
    expect((await ask({ cookie })).status).toBe(200)
    await prisma().user.update({ where: { id: user.id }, data: { suspendedAt: new Date() } })
    expect((await ask({ cookie })).status).toBe(401)
    expect((await ask({ cookie: await cookieOf(admin), 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})
