import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { onlyDoorOf, providerName } from '@/lib/policy/required-sso'
import { lockWaysIn } from '../two-factor/lock-ways-in'
import { requirePassword } from '../two-factor/require-password'
import { keepAWayIn } from './keep-a-way-in'

const input = z.object({
  // A company's provider is called by the id of its workspace.
  provider: z.string().max(60).catch(''),
  subject: z.string().max(500).catch(''),
  password: z.string().max(1000, 'This is not your password.').default(''),
})

/**
 * Takes an account at an identity provider away from those that sign the person in. Sessions that began with it go on.
 * @param values `provider`, `subject`, `password`
 * @throws AppError NOT_FOUND, CONFLICT (the last way in, or the SSO connection that a workspace requires), and as `requirePassword`
 */
export async function removeIdentity(actor: SessionActor, values: unknown): Promise<void> {
  const { provider, subject, password } = parseInput(input, values)
  await requirePassword(actor, password)
  const { userId } = actor
  await prisma().$transaction(async (tx) => {
    await lockWaysIn(tx, userId)
    const required = await onlyDoorOf(tx, userId)
    if (required && provider === providerName(required.workspaceId)) {
      throw new AppError('CONFLICT', `${required.workspaceName} requires single sign-on through it.`)
    }
    const { count } = await tx.identity.deleteMany({ where: { provider, subject, userId } })
    if (count === 0) throw new AppError('NOT_FOUND', 'This account is not connected.')
    await keepAWayIn(tx, userId)
    await recordEvent(tx, actor, {
      action: 'person.identity_removed',
      resource: { type: 'user', id: userId },
      details: { provider },
    })
  })
}
