import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { setRequiredApprovals } from '@/lib/features/app-access/policy'
import { decideApproval } from '@/lib/features/approvals/decide-approval'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startTestServer } from '@/lib/testing/server'

it('a client that can open pages receives a request to open the approval page, and its call succeeds if the user approves', async () => {
  const server = await startTestServer()
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const project = await makeProject(workspace)
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { id } = await prisma().session.create({ data: { userId: user.id, methods: ['pwd'], expiresAt } })
  const session = { kind: 'session', userId: user.id, sessionId: id, instanceAdmin: false } as const
  await setRequiredApprovals(session, workspace.id, { requiresApprovalFor: ['project:delete'] })
  const app = await makeAccessToken(user, ['workspace:admin'], { workspaces: [workspace] })
  const opened: string[] = []
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { url: {} } } },
  )
  let decision: 'once' | undefined
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const url = 'url' in params ? String(params.url) : ''
    opened.push(url)
    if (decision) await decideApproval(session, url.slice(url.lastIndexOf('/') + 1), { decision })
    return { action: 'accept' }
  })
  const requestInit = { headers: { authorization: `Bearer ${app.token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
  const remove = () => client.callTool({ name: 'delete_project', arguments: { id: project.id } })
  const waiting = await remove()
  expect(JSON.stringify(waiting.content)).toContain('APPROVAL_REQUIRED')
  expect(opened).toHaveLength(1)
  decision = 'once'
  expect((await remove()).structuredContent).toEqual({ deleted: true })
  expect(opened).toEqual([opened[0], opened[0]])
  await client.close()
})
