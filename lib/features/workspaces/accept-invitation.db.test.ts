import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeUser, makeWorkspace } from '@/lib/testing/factories'
import { acceptInvitation, currentRole, findInvitation } from './accept-invitation'
import { createInvitation } from './create-invitation'

it('currentRole returns the role of a member before the invitation is accepted, and the higher role afterwards', async () => {
  const [admin, viewer, guest] = [await makeUser(), await makeUser(), await makeUser()]
  const { id: workspaceId } = await makeWorkspace([
    [admin, 'ADMIN'],
    [viewer, 'VIEWER'],
  ])
  const session = { kind: 'session', sessionId: randomUUID(), instanceAdmin: false } as const
  const { link } = await createInvitation(
    { ...session, userId: admin.id },
    { workspaceId, email: `${randomUUID()}@example.com`, role: 'MEMBER' },
  )
  const token = String(link).split('/').at(-1) ?? ''
  const offer = await findInvitation(token)
  expect(await currentRole(offer, viewer.id)).toBe('VIEWER')
  expect(await currentRole(offer, guest.id)).toBeUndefined()
  await acceptInvitation({ ...session, userId: viewer.id }, token)
  expect(await currentRole(offer, viewer.id)).toBe('MEMBER')
})
