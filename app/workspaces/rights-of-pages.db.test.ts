import type { ReactNode } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { workspaceSettingsPages } from '@/lib/edges/web/console/console-pages'
import { listPalette } from '@/lib/edges/web/console/palette'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { permissions, type WorkspacePermission } from '@/lib/policy/permissions'
import type { Role } from '@/lib/policy/scopes'
import { makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'
import AppsPage from './[slug]/settings/apps/page'
import AuditLogPage from './[slug]/settings/audit-log/page'
import DeveloperPage from './[slug]/settings/developer/page'
import TokensPage from './[slug]/settings/tokens/page'
import WebhooksPage from './[slug]/settings/webhooks/page'

/** The headers of the request that the pages read. */
const request = vi.hoisted(() => ({ cookie: '' }))
vi.mock('next/headers', () => ({
  headers: async () => new Headers(request),
  cookies: async () => ({ get: () => undefined }),
}))

type Page = (props: {
  params: Promise<{ slug: string }>
  searchParams: Promise<Record<string, string>>
}) => Promise<ReactNode>

const settings: [label: string, WorkspacePermission, Page, field: string][] = [
  ['Apps', 'workspace:decide-apps', AppsPage, 'workspaceApps(workspaceId: $w) { nodes { name } }'],
  ['Developer', 'workspace:manage-apps', DeveloperPage, 'oauthApps(workspaceId: $w) { nodes { id } }'],
  ['Webhooks', 'workspace:manage-webhooks', WebhooksPage, 'webhooks(workspaceId: $w) { nodes { id } }'],
  [
    'Tokens',
    'workspace:manage-tokens',
    TokensPage,
    'workspaceTokens(workspaceId: $w) { pageInfo { endCursor } }',
  ],
  [
    'Audit log',
    'workspace:read-audit',
    AuditLogPage,
    'auditLogs(workspaceId: $w) { pageInfo { endCursor } }',
  ],
]

const { execute } = serveGraphQL()
let workspace: { id: string; slug: string }
let token: string

beforeAll(async () => {
  const member = await makeUser()
  workspace = await makeWorkspace([[member, 'MEMBER']])
  token = (await makeApiToken(member)).token
  const sid = await startSession({}, member.id, ['pwd'])
  request.cookie = (await sessionCookie({ sub: member.id, sid })).split(';', 1)[0] as string
})

/** Returns whether a member has access through the page, the navigation, the palette, and the API. */
async function accessTo([label, , page, field]: (typeof settings)[number]) {
  const { slug, id } = workspace
  const shown = await page({ params: Promise.resolve({ slug }), searchParams: Promise.resolve({}) }).then(
    () => true,
    (error: { digest?: string }) => {
      if (error.digest !== 'NEXT_HTTP_ERROR_FALLBACK;404') throw error
      return false
    },
  )
  const session = await sessionFromCookies(request.cookie, {})
  if (!session) throw new Error('no user is signed in')
  const entries = (await listPalette(session, '', slug)).entries.map((entry) => entry.label)
  const { errors } = await execute(token, `query ($w: ID!) { ${field} }`, { w: id })
  return {
    page: shown,
    navigation: workspaceSettingsPages('', 'MEMBER').some((one) => one.label === label),
    palette: entries.includes(`Settings: ${label}`),
    api: errors === undefined || String(errors[0]?.extensions.code),
  }
}

describe('a role in the permission table', () => {
  const before = structuredClone(permissions) as Record<WorkspacePermission, { role: Role }>
  const table = permissions as unknown as Record<WorkspacePermission, { role: Role }>
  afterEach(() => {
    for (const [, permission] of settings) table[permission].role = before[permission].role
  })

  it.each(settings)(
    'controls access to the settings page %s (%s), its data in the API, and its links in the navigation and the palette',
    async (...row) => {
      expect(await accessTo(row)).toEqual({
        page: false,
        navigation: false,
        palette: false,
        api: 'FORBIDDEN',
      })
      table[row[1]].role = 'MEMBER'
      expect(await accessTo(row)).toEqual({ page: true, navigation: true, palette: true, api: true })
      const others = settings.filter(([label]) => label !== row[0])
      for (const other of others) expect((await accessTo(other)).page).toBe(false)
    },
  )
})
