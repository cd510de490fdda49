import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { clearPersonalWorkspace } from '@/lib/features/identity/users/reset-password'
import { createProject } from '@/lib/features/projects/create-project'
import { deleteWorkspace } from '@/lib/features/workspaces/delete-workspace'
import { inBrowser, runStream, startAuditReceiver } from '@/lib/testing/audit-receiver'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import {
  createStream,
  deleteStream,
  retryStream,
  rotateStreamSecret,
  switchStream,
  updateStream,
} from './change-stream'
import { readStream } from './read-stream'
import { forgetWaiting } from './send-pending'

let receiver: Awaited<ReturnType<typeof startAuditReceiver>>
beforeAll(async () => {
  receiver = await startAuditReceiver()
})
afterEach(() => receiver.reset())
afterAll(() => receiver.close())

describe('an audit stream', () => {
  it('queues events while it is paused, and sends them after it is resumed', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    await switchStream(actor, place, false)
    await createProject(actor, { ...place, name: 'Meanwhile' })
    await runStream(placeId)
    expect(receiver.received).toEqual([])
    expect((await readStream(actor, place))?.state).toBe('paused')
    await switchStream(actor, place, true)
    await runStream(placeId)
    expect(receiver.projects()).toEqual(['Meanwhile'])
  })

  it('stops after three days without a successful delivery, or when its receiver responds with 410', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    receiver.answer = 503
    await runStream(placeId)
    await prisma().auditStream.update({
      where: { placeId },
      data: { failingSince: new Date(Date.now() - 4 * 86_400_000) },
    })
    await runStream(placeId)
    expect((await readStream(actor, place))?.state).toBe('stopped')
    expect(
      await prisma().auditEvent.count({ where: { action: 'audit_stream.stopped', workspaceId: placeId } }),
    ).toBe(1)
    receiver.answer = 410
    await switchStream(actor, place, true)
    await runStream(placeId)
    expect(await readStream(actor, place)).toMatchObject({ state: 'stopped', failures: 1 })
  })

  it('sends the event for the deletion of its workspace, and is deleted a week later', async () => {
    const { actor, place, placeId } = await receiver.streamedWorkspace()
    await runStream(placeId)
    await deleteWorkspace(actor, place.workspaceId)
    await forgetWaiting()
    await runStream(placeId)
    expect(receiver.messages().at(-1)).toMatchObject([
      { action: 'workspace.deleted', workspaceSlug: expect.any(String) },
    ])
    await forgetWaiting(Date.now() + 8 * 86_400_000)
    expect(await prisma().auditStream.count()).toBe(0)
  })

  it('is deleted when its personal workspace is cleared, and cannot be created with a private IP address', async () => {
    const owner = await makeUser()
    const workspace = await makeWorkspace([[owner, 'ADMIN']])
    await prisma().workspace.update({ where: { id: workspace.id }, data: { personalOwnerId: owner.id } })
    const place = { workspaceId: workspace.id }
    await createStream(inBrowser(owner.id), place, { url: receiver.url })
    await prisma().$transaction((tx) => clearPersonalWorkspace(tx, { kind: 'system' }, owner.id))
    expect(await readStream(inBrowser(owner.id), place)).toBeUndefined()
    await receiver.guarded(() =>
      expect(
        createStream(inBrowser(owner.id), place, { url: 'https://10.0.0.5/audit' }),
      ).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'url' } }),
    )
  })
})

describe('the instance’s audit stream', () => {
  it('sends events of the instance and its workspaces, and can use a private IP address only if a setting allows it', async () => {
    const { actor, place } = await receiver.streamedWorkspace()
    const instanceAdmin = inBrowser((await makeUser({ instanceAdmin: true })).id, true)
    const url = { url: receiver.url }
    await receiver.guarded(async () => {
      await expect(createStream(instanceAdmin, 'installation', url)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
      })
      process.env.AUDIT_STREAM_NETWORKS = '127.0.0.0/8, 10.0.0.0/8'
      resetConfig()
      await createStream(instanceAdmin, 'installation', { url: 'https://10.1.2.3:8088/audit' })
      await updateStream(instanceAdmin, 'installation', url)
      delete process.env.AUDIT_STREAM_NETWORKS
      resetConfig()
    })
    await createProject(actor, { ...place, name: 'Anywhere' })
    await runStream('00000000-0000-0000-0000-000000000000')
    expect(
      receiver
        .messages()
        .flat()
        .map(({ action }) => action),
    ).toEqual(['audit_stream.created', 'audit_stream.updated', 'project.created'])
  })
})

describe('the management of audit streams', () => {
  it('requires the ADMIN role for a workspace’s stream', async () => {
    const { place } = await receiver.streamedWorkspace()
    const [member, viewer, stranger] = [
      await makeUser(),
      await makeUser(),
      await makeUser({ instanceAdmin: true }),
    ]
    await prisma().workspaceMember.createMany({
      data: [
        { ...place, userId: member.id, role: 'MEMBER' },
        { ...place, userId: viewer.id, role: 'VIEWER' },
      ],
    })
    for (const [user, code] of [
      [member, 'FORBIDDEN'],
      [viewer, 'FORBIDDEN'],
      [stranger, 'NOT_FOUND'],
    ] as const) {
      const actor = inBrowser(user.id, user.instanceAdmin)
      for (const attempt of [
        () => readStream(actor, place),
        () => createStream(actor, place, { url: 'https://example.com' }),
        () => updateStream(actor, place, { url: 'https://example.com' }),
        () => switchStream(actor, place, false),
        () => retryStream(actor, place),
        () => rotateStreamSecret(actor, place),
        () => deleteStream(actor, place),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code })
      }
    }
  })

  it('requires an instance admin for the instance’s stream, and allows only one stream per workspace', async () => {
    const { actor, place } = await receiver.streamedWorkspace()
    await expect(readStream(actor, 'installation')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(createStream(actor, 'installation', { url: 'https://example.com' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(createStream(actor, place, { url: 'https://example.com' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await deleteStream(actor, place)
    await expect(deleteStream(actor, place)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
