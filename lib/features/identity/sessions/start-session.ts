import ipaddr from 'ipaddr.js'
import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { describeDevice, type Visitor } from '@/lib/base/http/visitor'
import { type Say, sayToPerson } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { lockPerson } from '@/lib/policy/hold'
import { requiredSsoOf, type SsoOrigin } from '@/lib/policy/required-sso'
import { sessionSeconds } from './session-cookie'

/** On what a sign-in rests beyond the person. */
export type Proof = {
  /**
   * Their password, as its hash, when they proved who they are, by whatever means; null for none. Where it is another by now, all that
   * was begun before is over. Left out, it is not asked.
   */
  passwordHash?: string | null | undefined
  /** The SSO connection of the sign-in. */
  sso?: SsoOrigin | undefined
  /** Returns whether the sign-in, which has one factor, needs a second one by now. Asked while the account cannot change. */
  owesStep?: ((tx: Db) => Promise<boolean>) | undefined
}

/** Who has proved who they are, and the hash of their password at that moment. */
export type ProvenPerson = { userId: string; passwordHash: string | null }

/**
 * Requires that a proof still counts, and keeps it so until a transaction ends. In the meantime the password can have been changed,
 * the user suspended, a second factor set up, or SSO required. Each of these changes ends what has begun before it. What begins
 * after it fails here. See ADR 0022.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN (a workspace requires SSO)
 */
export async function holdProof(
  tx: Db,
  userId: string,
  { passwordHash, sso, owesStep }: Proof,
): Promise<void> {
  const person = await lockPerson(tx, userId)
  const changed = passwordHash !== undefined && passwordHash !== person?.passwordHash
  if (!person || person.suspendedAt || changed || (await owesStep?.(tx))) {
    throw new AppError('UNAUTHENTICATED', 'This sign-in has expired. Sign in again.')
  }
  const only = await requiredSsoOf(tx, userId)
  if (only !== undefined && only.workspaceId !== sso?.ssoWorkspaceId) {
    throw new AppError('FORBIDDEN', 'Your organization requires single sign-on. Continue with SSO.')
  }
}

/**
 * How a person proved who they are: RFC 8176 `amr` values; `ext` is an identity provider's word. `mfa` stands beside the
 * others when they amount to two factors.
 */
export type SignInMethod = 'pwd' | 'otp' | 'hwk' | 'ext' | 'mfa'

/**
 * Records a browser session for a person who has just proved who they are.
 * @param more.replaces the id of the session this browser held until now; it ends, so that no stray session stays behind. Apps
 *   that the same person signed in to under it stay signed in, under the new one
 * @param more.sso the session lives as long as the SSO connection covers the user
 * @returns the new session's id, to be carried by the cookie
 * @throws AppError as `holdProof`, for what happened since
 */
export async function startSession(
  visitor: Visitor,
  userId: string,
  methods: SignInMethod[],
  { replaces, ...proof }: Proof & { replaces?: string | undefined } = {},
): Promise<string> {
  const now = new Date(databaseNow())
  return inTransaction(async (tx) => {
    await holdProof(tx, userId, proof)
    const { id } = await tx.session.create({
      data: {
        userId,
        methods,
        ...proof.sso,
        ip: visitor.ip,
        userAgent: visitor.userAgent?.slice(0, 400),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: new Date(now.getTime() + sessionSeconds() * 1000),
      },
      select: { id: true },
    })
    await rememberLanguage(tx, userId, visitor)
    if (!replaces) return id
    await tx.appSignIn.updateMany({
      where: { sessionId: replaces, session: { userId, revokedAt: null } },
      data: { sessionId: id },
    })
    await tx.session.updateMany({ where: { id: replaces, revokedAt: null }, data: { revokedAt: now } })
    return id
  })
}

/**
 * Keeps in which language a person reads, for the mails to them: what they chose on a page, or, until something is known, what
 * their browser prefers. What an app asks for is the app's wish, and not kept. See ADR 0037.
 * @param tx the transaction of the sign-in
 */
async function rememberLanguage(tx: Db, userId: string, { language, choseLanguage }: Visitor): Promise<void> {
  if (!language) return
  const other = choseLanguage ? [{ language: { not: language } }] : []
  await tx.user.updateMany({
    where: { id: userId, OR: [{ language: null }, ...other] },
    data: { language },
  })
}

/** As many of the latest sign-ins are looked at. */
const remembered = 200

/**
 * Mails a person that somebody signed in as them from a place they never signed in from before. Not at the very first sign-in, which
 * is new by nature. Sign-ins that came earlier alone count: of two from one new place at the same moment the first is told.
 * See ADR 0037.
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
  const { BASE_URL, serviceName: service } = config()
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
