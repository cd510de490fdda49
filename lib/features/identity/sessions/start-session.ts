import ipaddr from 'ipaddr.js'
import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { type Db, inTransaction } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { describeDevice, type Visitor } from '@/lib/base/http/visitor'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { lockUser } from '@/lib/policy/lock-role'
import { requiredSsoOf, type SsoOrigin } from '@/lib/policy/required-sso'
import { sessionSeconds } from './session-cookie'

/** Details about how a user proved their identity. */
export type Proof = {
  /**
   * The hash of the user's password at the time of the proof, or null if the user had no password. If the
   * password has changed since then, the proof is invalid. If the hash is omitted, the password is not
   * checked.
   */
  passwordHash?: string | null | undefined
  /** The SSO connection that the sign-in used. Undefined for all other sign-ins. */
  sso?: SsoOrigin | undefined
  /**
   * Returns whether a sign-in that used only one factor must now use a second factor. Called while the
   * account is locked.
   */
  owesStep?: ((tx: Db) => Promise<boolean>) | undefined
}

/**
 * A user who proved their identity. `passwordHash` is the hash of the user's password at that moment, or null
 * if the user had no password.
 */
export type ProvenUser = { userId: string; passwordHash: string | null }

/**
 * Locks the account until the transaction ends, and requires that the proof is still valid. A changed
 * password, a suspension, new 2FA, or required SSO ends existing sessions, but not a session that starts
 * later. Therefore, if one of these changes occurs during a sign-in, the sign-in fails here. See ADR 0017.
 * @throws AppError UNAUTHENTICATED (the account changed or was deleted), FORBIDDEN (a workspace requires SSO,
 * and the user did not sign in through its connection)
 */
export async function lockWithProof(
  tx: Db,
  userId: string,
  { passwordHash, sso, owesStep }: Proof,
): Promise<void> {
  const user = await lockUser(tx, userId)
  const changed = passwordHash !== undefined && passwordHash !== user?.passwordHash
  if (!user || user.suspendedAt || changed || (await owesStep?.(tx))) {
    throw new AppError('UNAUTHENTICATED', 'This sign-in has expired. Sign in again.')
  }
  const only = await requiredSsoOf(tx, userId)
  if (only !== undefined && only.workspaceId !== sso?.ssoWorkspaceId) {
    throw new AppError('FORBIDDEN', 'Your organization requires single sign-on. Continue with SSO.', {
      reason: 'sso_required',
    })
  }
}

/**
 * A sign-in method: an `amr` value from RFC 8176, or `ext` for an identity provider. `mfa` is added if the
 * other methods amount to two factors.
 */
export type SignInMethod = 'pwd' | 'otp' | 'hwk' | 'ext' | 'mfa'

/**
 * Records a browser session for a user who just proved their identity. Also stores the language for emails to
 * the user (`rememberLanguage`).
 * @param more.replaces the ID of the browser's previous session, which ends. If that session belongs to the
 * same user and has not ended yet, its sign-ins to apps continue under the new session.
 * @param more.sso the SSO connection. The session is valid only while the connection covers the user.
 * @returns the new session's ID for the cookie
 * @throws the errors of `lockWithProof`
 */
export async function startSession(
  visitor: Visitor,
  userId: string,
  methods: SignInMethod[],
  { replaces, ...proof }: Proof & { replaces?: string | undefined } = {},
): Promise<string> {
  const now = new Date(databaseNow())
  return inTransaction(async (tx) => {
    await lockWithProof(tx, userId, proof)
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
 * Stores the language for emails to the user. A language that the user chooses on a page is always stored.
 * The browser's preference is stored only if no language is known yet. Ignores a language that an app
 * requests.
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

/** The maximum number of earlier sign-ins with which a new sign-in is compared. */
const remembered = 200

/**
 * Emails a user about a sign-in from a new place, unless it is the user's first sign-in. Compares only with
 * earlier sign-ins, so that only the first of two concurrent sign-ins from a new place is reported. See
 * ADR 0028.
 * @param sessionId the session of the sign-in
 */
export async function emailNewSignIn(sessionId: string): Promise<void> {
  const [session] = await readWithEarlier(sessionId)
  if (!session) return
  const { earlier, email, name, language } = session
  const place = placeOf(session)
  if (earlier.length === 0 || earlier.some(([ip, userAgent]) => placeOf({ ip, userAgent }) === place)) return
  sendMail(email, newPlaceMail(translatorForUser(language), name, session))
}

/**
 * Reads a session, its user's data, and the distinct origins of the latest earlier sign-ins (up to
 * `remembered` sign-ins).
 */
const readWithEarlier = statement<
  SignInOrigin & {
    createdAt: Date
    name: string
    email: string
    language: string | null
    earlier: [ip: string | null, userAgent: string | null][]
  },
  [sessionId: string]
>(
  'session-with-earlier',
  `SELECT s.ip, s.user_agent AS "userAgent", s.created_at AS "createdAt", u.name, u.email, u.language,
          (SELECT coalesce(json_agg(DISTINCT jsonb_build_array(e.ip, e.user_agent)), '[]')
             FROM (SELECT ip, user_agent FROM sessions
                    WHERE user_id = s.user_id AND (created_at, id) < (s.created_at, s.id)
                    ORDER BY created_at DESC LIMIT ${remembered}) e) AS earlier
     FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.id = $1::uuid`,
)

const readPlaces = statement<SignInOrigin, [email: string]>(
  'places-of-account',
  `SELECT DISTINCT ip, "userAgent"
     FROM (SELECT s.ip, s.user_agent AS "userAgent" FROM sessions s JOIN users u ON u.id = s.user_id
            WHERE u.email = $1 ORDER BY s.created_at DESC LIMIT ${remembered}) e`,
)

/**
 * Returns the place of a sign-in attempt if one of the account's latest sessions began there (`placeOf`).
 * @returns undefined for any other place, an unknown IP address, or an email address without an account
 */
export async function knownPlace(visitor: Visitor, email: string): Promise<string | undefined> {
  if (!visitor.ip) return undefined
  const place = placeOf(visitor)
  return (await readPlaces(email)).some((earlier) => placeOf(earlier) === place) ? place : undefined
}

/**
 * Returns the email about a sign-in from a new place, with the browser, the time, the IP address (if it is
 * known), and instructions for users who did not sign in.
 */
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

/** The IP address and the browser of a sign-in. Each is null if it was not recorded. */
export type SignInOrigin = { ip: string | null; userAgent: string | null }

/**
 * Returns a text for comparing the places of sign-ins. The text contains the browser, the operating system,
 * and the network. An IP address can change daily within a provider's network. Therefore, the network is the
 * first half of an IPv4 address or the first 32 bits of an IPv6 address.
 */
export const placeOf = ({ ip, userAgent }: SignInOrigin | Visitor): string =>
  `${describeDevice(userAgent ?? null)} in ${networkOf(ip ?? '')}`

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
