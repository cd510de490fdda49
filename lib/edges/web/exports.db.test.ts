import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstIdAt } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { type SignInMethod, startSession } from '@/lib/features/identity/sessions/start-session'
import type { Role } from '@/lib/policy/scopes'
import { makeAccessToken } from '@/lib/testing/access-token'
import { checkAgainstOpenApi } from '@/lib/testing/check-against-openapi'
import { countStatements } from '@/lib/testing/count-statements'
import { makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { answerAuditExport } from './exports'

type User = Awaited<ReturnType<typeof makeUser>>

const base = 'http://127.0.0.1/audit-log/export'
let workspace: { id: string; slug: string; name: string }
const users = {} as Record<Role | 'stranger' | 'instanceAdmin', User>

beforeAll(async () => {
  for (const role of ['ADMIN', 'MEMBER', 'VIEWER', 'stranger'] as const) users[role] = await makeUser()
  users.instanceAdmin = await makeUser({ instanceAdmin: true })
  workspace = await makeWorkspace(
    (['ADMIN', 'MEMBER', 'VIEWER'] as const).map((role) => [users[role], role]),
    { name: '=HYPERLINK("https://evil.test")', slug: 'acme' },
  )
  await record(2_500, workspace.id, 1)
  await record(3, null, 2)
})

afterAll(async () => {
  await prisma().auditEvent.deleteMany()
})

/** Records a number of events in order, all on the given day in March. */
async function record(count: number, workspaceId: string | null, day: number) {
  const begins = Date.parse(`2025-03-0${day}T10:00:00Z`)
  const data = Array.from({ length: count }, (_, index) => ({
    id: firstIdAt(new Date(begins + index)),
    createdAt: new Date(begins + index),
    workspaceId,
    userId: users.ADMIN.id,
    actorKind: 'session',
    action: index % 1_000 === 0 ? 'project.created' : 'member.added',
    resourceType: 'project',
    resourceId: String(index),
    details: { name: '=1+1' },
  }))
  await prisma().auditEvent.createMany({ data })
}

async function ask(query: Record<string, string>, headers: Record<string, string> = {}, method = 'GET') {
  const request = new Request(`${base}?${new URLSearchParams(query)}`, { method, headers })
  const answer = await answerAuditExport(request)
  const body = await answer.clone().text()
  checkAgainstOpenApi({
    method,
    path: '/audit-log/export',
    status: answer.status,
    headers: answer.headers,
    body,
  })
  return { answer, body, lines: body.trimEnd().split('\n') }
}

const browser = async (user: User, methods: SignInMethod[] = ['pwd']) => ({
  cookie: (await sessionCookie({ sub: user.id, sid: await startSession({}, user.id, methods) })).split(
    ';',
    1,
  )[0] as string,
  'sec-fetch-site': 'same-origin',
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const whole = () => ({ workspaceId: workspace.id, since: '2025-03-01', until: '2025-03-02' })

describe('the file of an export', () => {
  it('contains every event once, oldest first, and the export is recorded in the audit log', async () => {
    const { answer, lines } = await ask(whole(), await browser(users.ADMIN))
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="audit-log-acme-2025-03-01-to-2025-03-02.ndjson"',
    )
    const events = lines.map((line) => JSON.parse(line))
    expect(events.map(({ resourceId }) => resourceId)).toEqual(
      Array.from({ length: 2_500 }, (_, index) => String(index)),
    )
    expect(events[0]).toMatchObject({
      userName: users.ADMIN.name,
      workspaceSlug: 'acme',
      details: { name: '=1+1' },
    })
    expect(JSON.stringify(events)).not.toContain(users.ADMIN.email)
    const recorded = await prisma().auditEvent.findFirst({ where: { action: 'audit_log.exported' } })
    expect(recorded).toMatchObject({ workspaceId: workspace.id, userId: users.ADMIN.id })
  })

  it('contains no spreadsheet formulas if its format is CSV', async () => {
    const { lines } = await ask({ ...whole(), format: 'csv', action: 'project' }, await browser(users.ADMIN))
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^id,createdAt,action,.*,details\r$/)
    expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.test"")"`)
    expect(lines[1]).toContain(",'=1+1,")
  })

  it('is generated only while it is being read', async () => {
    const headers = await browser(users.ADMIN)
    const request = new Request(`${base}?${new URLSearchParams(whole())}`, { headers })
    const answer = await answerAuditExport(request)
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    const { statements: untaken } = await countStatements(() => new Promise((done) => setImmediate(done)))
    expect(untaken).toHaveLength(0)
    await reader.read()
    const { statements } = await countStatements(() => reader.cancel())
    expect(statements).toHaveLength(0)
  })

  it('is empty for a HEAD request, which is not recorded', async () => {
    const before = await prisma().auditEvent.count()
    const { answer, body } = await ask(whole(), await browser(users.ADMIN), 'HEAD')
    expect([answer.status, body]).toEqual([200, ''])
    expect(await prisma().auditEvent.count()).toBe(before)
  })
})

describe('an audit log export', () => {
  it.each([
    ['MEMBER', 403],
    ['VIEWER', 403],
    ['stranger', 404],
    ['instanceAdmin', 404],
  ] as const)('of a workspace is denied to %s', async (who, status) => {
    expect((await ask(whole(), await browser(users[who]))).answer.status).toBe(status)
    const { token } = await makeApiToken(users[who])
    expect((await ask(whole(), bearer(token))).answer.status).toBe(status)
  })

  it('of a workspace is allowed for a token with the ADMIN role, but denied to weaker tokens and apps', async () => {
    const { token } = await makeApiToken(users.ADMIN, { workspace })
    expect((await ask({ ...whole(), action: 'project' }, bearer(token))).lines).toHaveLength(3)
    const weak = await makeApiToken(users.ADMIN, { role: 'MEMBER' })
    expect((await ask(whole(), bearer(weak.token))).answer.status).toBe(403)
    const app = await makeAccessToken(users.ADMIN, ['workspace:admin'], { workspaces: [workspace] })
    expect((await ask(whole(), bearer(app.token))).answer.status).toBe(403)
    expect((await ask(whole(), bearer('lk_pat_nonsense'))).answer.status).toBe(401)
    expect((await ask(whole())).answer.status).toBe(401)
  })

  it('of a workspace that requires two-factor authentication is denied to a one-factor session', async () => {
    await prisma().workspace.update({ where: { id: workspace.id }, data: { requireTwoFactor: true } })
    expect((await ask(whole(), await browser(users.ADMIN))).answer.status).toBe(403)
    expect((await ask(whole(), await browser(users.ADMIN, ['pwd', 'otp', 'mfa']))).answer.status).toBe(200)
    await prisma().workspace.update({ where: { id: workspace.id }, data: { requireTwoFactor: false } })
  })

  it('of all events requires an instance admin’s browser session', async () => {
    const { answer, lines } = await ask(
      { since: '2025-03-01', until: '2025-03-02', search: 'project' },
      await browser(users.instanceAdmin),
    )
    expect(answer.headers.get('content-disposition')).toContain('audit-log-installation-2025-03-01-to-')
    expect(lines).toHaveLength(4)
    const narrowed = await ask(
      { since: '2025-03-01', until: '2025-03-02', workspace: 'acme', search: 'project' },
      await browser(users.instanceAdmin),
    )
    expect(narrowed.lines).toHaveLength(3)
    expect((await ask({}, await browser(users.ADMIN))).answer.status).toBe(403)
    const { token } = await makeApiToken(users.instanceAdmin)
    expect((await ask({}, bearer(token))).answer.status).toBe(403)
  })

  it('is denied if the request comes from a link on another site', async () => {
    const headers = { ...(await browser(users.ADMIN)), 'sec-fetch-site': 'cross-site' }
    expect((await ask(whole(), headers)).answer.status).toBe(403)
  })

  it('with an invalid parameter is rejected with an error that names the parameter', async () => {
    const headers = await browser(users.ADMIN)
    for (const [field, value] of [
      ['format', 'xlsx'],
      ['since', 'yesterday'],
      ['until', '2025-02-28'],
      ['action', 'project.made'],
    ] as const) {
      const { answer, body } = await ask({ ...whole(), [field]: value }, headers)
      expect(answer.status).toBe(400)
      expect(JSON.parse(body)).toMatchObject({ code: 'BAD_USER_INPUT', field })
    }
  })
})
