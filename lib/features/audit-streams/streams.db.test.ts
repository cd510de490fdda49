import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { runShutdownTasks } from '@/lib/base/process/background'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import type { DescribedEvent } from '@/lib/features/audit/export-events'
import { auditEventSnippet } from '@/lib/features/docs/snippets/integrations'
import { createProject } from '@/lib/features/projects/create-project'
import { startJobs } from '@/lib/server/jobs'
import { runStream, startAuditReceiver } from '@/lib/testing/audit-receiver'
import { makeWorkspace } from '@/lib/testing/factories'
import { retryStream, rotateStreamSecret, updateStream } from './change-stream'
import { readStream } from './read-stream'
import { sendWaiting } from './send-pending'

let receiver: Awaited<ReturnType<typeof startAuditReceiver>>
beforeAll(async () => {
  receiver = await startAuditReceiver()
})
afterEach(() => receiver.reset())
afterAll(() => receiver.close())

describe('an audit stream', () => {
  it('sends its workspace’s events in order, with signatures that the standardwebhooks package accepts', async () => {
    const { actor, place, placeId, secret, workspace } = await receiver.streamedWorkspace()
    const elsewhere = await makeWorkspace([[{ id: actor.userId }, 'ADMIN']])
    await createProject(actor, { workspaceId: elsewhere.id, name: 'Elsewhere' })
    for (const name of ['One', 'Two', 'Three']) await createProject(actor, { ...place, name })
    await runStream(placeId)
    const [{ headers, body }] = receiver.received as [{ headers: Record<string, string>; body: string }]
    const sent = new Webhook(secret).verify(body, headers) as DescribedEvent[]
    expect(sent.map(({ action, resourceName }) => [action, resourceName])).toEqual([
      ['audit_stream.created', workspace.name],
      ['project.created', 'One'],
      ['project.created', 'Two'],
      ['project.created', 'Three'],
    ])
    expect(sent[1]).toMatchObject({ workspaceId: workspace.id, userId: actor.userId })
    const [documented] = JSON.parse(auditEventSnippet())
    expect(Object.keys(sent[1] ?? {})).toEqual(Object.keys(documented))
    expect(await readStream(actor, place)).toMatchObject({ state: 'sending', waiting: 0, oldest: null })
    expect(JSON.stringify(await prisma().auditStream.findMany())).not.toContain(secret)
  })

  it('keeps rejected events, shows the reason, and resends them before later events', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    receiver.answer = 500
    await runStream(placeId)
    const failing = await readStream(actor, place)
    expect(failing).toMatchObject({
      state: 'failing',
      failures: 1,
      lastError: 'The address responded with status 500.',
      waiting: 1,
    })
    expect((failing?.nextAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(1_000)
    receiver.answer = 'nothing'
    await runStream(placeId)
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
    expect(await readStream(actor, place)).toMatchObject({
      failures: 2,
      lastError: 'The address could not be reached.',
    })
    await createProject(actor, { ...place, name: 'Later' })
    receiver.answer = 200
    await runStream(placeId)
    expect(receiver.messages()[2]?.map(({ action }) => action)).toEqual([
      'audit_stream.created',
      'project.created',
    ])
    expect(await readStream(actor, place)).toMatchObject({ state: 'sending', failures: 0, waiting: 0 })
  })

  it('resends events if the process ended before their delivery was recorded', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    await createProject(actor, { ...place, name: 'Twice' })
    // Another job takes over while the message is in transit. The first job can then no longer record the
    // delivery, as if its process had ended.
    const [first, second] = [randomUUID(), randomUUID()]
    const give = (jobId: string) => prisma().auditStream.update({ where: { placeId }, data: { jobId } })
    await give(first)
    receiver.meanwhile = async () => {
      await give(second)
    }
    await sendWaiting(placeId, first)
    expect((await readStream(actor, place))?.waiting).toBe(2)
    await sendWaiting(placeId, second)
    expect((await readStream(actor, place))?.waiting).toBe(0)
    expect(receiver.projects()).toEqual(['Twice', 'Twice'])
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
    await sendWaiting(placeId, first)
    expect(receiver.received).toHaveLength(2)
  })

  it('sends fewer events per message after a receiver responds that a message is too large', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
    for (const name of names) await createProject(actor, { ...place, name })
    receiver.most = 2
    await runStream(placeId)
    const sizes = receiver.messages().map((events) => events.length)
    expect(sizes).toEqual([7, 3, 1, 1, 1, 1, 1, 1, 1])
    expect(
      receiver
        .messages()
        .flat()
        .slice(11)
        .map(({ resourceName }) => resourceName),
    ).toEqual(names)
    expect(await readStream(actor, place)).toMatchObject({ state: 'sending', failures: 0, waiting: 0 })
  })

  it('fails and shows the response status if a single event is too large', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    await createProject(actor, { ...place, name: 'One' })
    receiver.most = 0
    await runStream(placeId)
    expect(receiver.messages().map((events) => events.length)).toEqual([2, 1])
    expect(await readStream(actor, place)).toMatchObject({
      failures: 1,
      lastError: 'The address responded with status 413.',
      waiting: 2,
    })
  })

  it('does not reveal its URL’s query in the audit log', async () => {
    const { actor, place } = await receiver.streamedWorkspace()
    const token = 'token-of-the-collector'
    await updateStream(actor, place, { url: `${receiver.url}?token=${token}` })
    expect((await readStream(actor, place))?.url).toContain(token)
    const recorded = await prisma().auditEvent.findMany({ where: { action: { startsWith: 'audit_stream' } } })
    expect(recorded.map(({ details }) => details)).toContainEqual({ url: `${receiver.url}?…` })
    expect(JSON.stringify(recorded)).not.toContain(token)
  })

  it('sends no event for an action that fails', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    await expect(createProject(actor, { ...place, name: '' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    await runStream(placeId)
    expect(receiver.projects()).toEqual([])
  })

  it('signs messages with both the new and the previous secret after a rotation', async () => {
    const { actor, place, placeId, secret } = await receiver.streamedWorkspace()
    const { secret: second } = await rotateStreamSecret(actor, place)
    await runStream(placeId)
    const [{ headers, body }] = receiver.received as [{ headers: Record<string, string>; body: string }]
    for (const known of [secret, second]) expect(new Webhook(known).verify(body, headers)).toBeTruthy()
  })

  it('skips events that were deleted, and continues with the next event', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    await prisma().auditEvent.deleteMany({ where: { workspaceId: placeId } })
    await createProject(actor, { ...place, name: 'Left' })
    await runStream(placeId)
    expect(receiver.projects()).toEqual(['Left'])
    expect((await readStream(actor, place))?.waiting).toBe(0)
  })
})

describe('the job queue', () => {
  it('sends an audit stream’s events automatically, and continues after an admin retries a failing stream', async () => {
    await startJobs(makeLogoutToken)
    try {
      receiver.answer = 500
      const { actor, place } = await receiver.streamedWorkspace()
      const eventually = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 15_000, interval: 100 })
      await eventually(async () => expect(await readStream(actor, place)).toMatchObject({ failures: 1 }))
      receiver.answer = 204
      await retryStream(actor, place)
      await createProject(actor, { ...place, name: 'By itself' })
      await eventually(async () => expect(receiver.projects()).toEqual(['By itself']))
    } finally {
      await runShutdownTasks()
    }
  })
})
