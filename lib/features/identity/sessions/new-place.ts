import ipaddr from 'ipaddr.js'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { describeDevice } from '@/lib/base/http/visitor'
import { type Say, sayToPerson } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'

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

/** Tells of a sign-in from somewhere new: by what, from where and when, and what to do if it was somebody else. */
function newPlaceMail(say: Say, name: string, session: SignInOrigin & { createdAt: Date }): Mail {
  const { BASE_URL, SERVICE_NAME: service } = config()
  const { ip, userAgent, createdAt } = session
  const at = new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return composeMail({
    say,
    subject: say('mail.subject', { what: say('signin.newSubject'), service }),
    name,
    paragraphs: [
      say('signin.newText', { device: describeDevice(userAgent, say), time: `${at.format(createdAt)} UTC` }),
      ...(ip ? [say('changed.from', { ip })] : []),
      say('changed.advice'),
    ],
    actions: [
      { label: say('signin.review'), url: `${BASE_URL}/account/sessions` },
      { label: say('reset.mailAction'), url: `${BASE_URL}/forgot-password` },
    ],
  })
}

/** Where a sign-in came from, as it was noted. */
export type SignInOrigin = { ip: string | null; userAgent: string | null }

/**
 * A place as it is compared: the kind of browser, and the network. An address changes from day to day within a provider's network,
 * so half of an IPv4 address counts, and what a provider has of an IPv6 one.
 */
export const placeOf = ({ ip, userAgent }: SignInOrigin): string =>
  `${describeDevice(userAgent)} in ${networkOf(ip ?? '')}`

function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'nowhere'
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv4
    ? address.octets.slice(0, 2).join('.')
    : address.parts
        .slice(0, 2)
        .map((part) => part.toString(16))
        .join(':')
}
