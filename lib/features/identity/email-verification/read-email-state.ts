import { prisma } from '@/lib/base/db/prisma'
import { canSendMail } from '@/lib/base/mail/send-mail'
import type { SessionActor } from '@/lib/policy/actor'

/** The person's address, whether it is verified, and whether this service can mail a link at all. */
export async function readEmailState(
  actor: SessionActor,
): Promise<{ email: string; verified: boolean; canMail: boolean }> {
  const { email, emailVerifiedAt } = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { email: true, emailVerifiedAt: true },
  })
  return { email, verified: emailVerifiedAt !== null, canMail: canSendMail() }
}
