import { z } from 'zod'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { log } from '@/lib/base/log/log'
import { emailAddress } from '@/lib/base/mail/email-address'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { holdInstance } from '@/lib/policy/hold'
import { isId } from '@/lib/policy/require'

const input = z.object({ email: emailAddress })

/** Admins of a workspace who can sign in: while there is one, the workspace is theirs, and no operator's to give. */
export const adminsWhoCan = (workspaceId: string) => ({
  workspaceId,
  role: 'ADMIN' as const,
  user: { suspendedAt: null },
})

/**
 * Makes somebody an admin of an abandoned workspace: one whose admins are all suspended or gone. One of its members who can sign
 * in, where there are any; somebody else only where there are none. Never the operator themselves, who would get to what is in it by their
 * own word. It is in the workspace's audit log, and the new admin is told.
 * See decision 180.
 * @param values `email`
 * @throws AppError FORBIDDEN for anyone but the operator, NOT_FOUND, CONFLICT (it has an admin, or oneself), BAD_USER_INPUT on `email`
 */
export async function giveWorkspace(actor: Actor, id: string, values: unknown): Promise<void> {
  authorizeInstance(actor)
  const { email } = parseInput(input, values)
  const to = await prisma().$transaction(async (tx) => {
    await holdInstance(tx, actor)
    // Of two operators the second finds that it has an admin.
    const [workspace] = isId(id)
      ? await tx.$queryRaw<{ id: string }[]>`SELECT id FROM workspaces WHERE id = ${id}::uuid FOR UPDATE`
      : []
    if (!workspace) throw new AppError('NOT_FOUND', 'There is no such workspace.')
    if ((await tx.workspaceMember.count({ where: adminsWhoCan(id) })) > 0) {
      throw new AppError(
        'CONFLICT',
        'This workspace has an admin who can sign in. They decide who else is one.',
      )
    }
    const { id: userId, role } = await findHeir(tx, id, email)
    if (userId === actor.userId) throw new AppError('CONFLICT', 'You cannot give it to yourself.')
    await tx.workspaceMember.upsert({
      where: { workspaceId_userId: { workspaceId: id, userId } },
      create: { workspaceId: id, userId, role: 'ADMIN' },
      update: { role: 'ADMIN' },
    })
    await recordEvent(tx, actor, {
      action: 'workspace.given',
      resource: { type: 'user', id: userId },
      workspaceId: id,
      details: { from: role ?? null, to: 'ADMIN' },
    })
    return userId
  })
  log.info('an operator acted', {
    action: 'workspace.given',
    operator: actor.userId,
    workspace: id,
    person: to,
  })
}

/** Whom a workspace may be given to, with the role they have there. */
async function findHeir(tx: Db, workspaceId: string, email: string) {
  const person = await tx.user.findUnique({
    where: { email, suspendedAt: null },
    select: {
      id: true,
      emailVerifiedAt: true,
      workspaceMemberships: { where: { workspaceId }, select: { role: true } },
    },
  })
  if (!person) throw badInput('email', 'Nobody who can sign in has this email.')
  const role = person.workspaceMemberships[0]?.role
  if (role) return { id: person.id, role }
  if ((await tx.workspaceMember.count({ where: { workspaceId, user: { suspendedAt: null } } })) > 0) {
    throw badInput('email', 'Choose one of its members: some of them can sign in.')
  }
  if (!person.emailVerifiedAt)
    throw badInput('email', 'This email was never confirmed, so anybody may have signed up with it.')
  return { id: person.id, role }
}
