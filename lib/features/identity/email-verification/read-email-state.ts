import { prisma } from '@/lib/base/db/prisma'
import { canSendMail } from '@/lib/base/mail/send-mail'
import type { SessionActor } from '@/lib/policy/actor'
import { onlyDoorOf, type RequiredSso } from '@/lib/policy/required-sso'

/** Returns the user's address, whether it is verified, whether the service can send a link, and the workspace that requires SSO of it. */
export async function readEmailState(
  actor: SessionActor,
): Promise<{ email: string; verified: boolean; canMail: boolean; required: RequiredSso | undefined }> {
  const { email, emailVerifiedAt } = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { email: true, emailVerifiedAt: true },
  })
  const required = await onlyDoorOf(prisma(), actor.userId)
  return { email, verified: emailVerifiedAt !== null, canMail: canSendMail(), required }
}
