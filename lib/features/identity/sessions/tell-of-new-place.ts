import { prisma } from '@/lib/base/db/prisma'
import { sayToPerson } from '@/lib/base/language/say'
import { sendMail } from '@/lib/base/mail/send-mail'
import { newPlaceMail } from './new-place-mail'
import { placeOf } from './sign-in-place'

/** As many of the latest sign-ins are looked at. */
const remembered = 200

/**
 * Mails a person that somebody signed in as them from a place they never signed in from before. Not at the very first sign-in, which
 * is new by nature. Sign-ins that came earlier alone count: of two from one new place at the same moment the first is told.
 * See decision 182.
 * @param sessionId the session of the sign-in
 */
export async function tellOfNewPlace(sessionId: string): Promise<void> {
  const session = await prisma().session.findUnique({ where: { id: sessionId }, include: { user: true } })
  if (!session) return
  const { user, createdAt, id } = session
  const earlier = await prisma().session.findMany({
    where: {
      userId: user.id,
      OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }],
    },
    select: { ip: true, userAgent: true },
    orderBy: { createdAt: 'desc' },
    take: remembered,
  })
  const place = placeOf(session)
  if (earlier.length === 0 || earlier.some((each) => placeOf(each) === place)) return
  sendMail(user.email, newPlaceMail(sayToPerson(user.language), user.name, session))
}
