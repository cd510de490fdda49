import { config } from '@/lib/base/config/env'
import type { Db } from '@/lib/base/db/prisma'
import { type PlainMessageKey, type Say, translatorForUser } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { type AuditRecord, listenerOf, type SystemActor } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'

/** The texts of the email about a change: its subject and an explanation. */
type Change = { title: PlainMessageKey; text: PlainMessageKey }

/** The account changes that the user always receives an email about, even if someone else made them. */
const accountChanges: Record<string, Change> = {
  'user.password_changed': { title: 'changed.password', text: 'changed.passwordText' },
  'user.password_reset': { title: 'changed.password', text: 'changed.passwordByLink' },
  'user.email_changed': { title: 'changed.email', text: 'changed.emailText' },
  'user.identity_joined': { title: 'changed.identity', text: 'changed.identityText' },
  'user.identity_connected': { title: 'changed.identity', text: 'changed.connectedText' },
  'user.identity_removed': { title: 'changed.noIdentity', text: 'changed.noIdentityText' },
  'user.instance_admin_added': { title: 'changed.instanceAdmin', text: 'changed.instanceAdminText' },
  'user.instance_admin_removed': { title: 'changed.noInstanceAdmin', text: 'changed.noInstanceAdminText' },
  'user.reset_link_created': { title: 'changed.resetLink', text: 'changed.resetLinkText' },
  'user.two_factor_removed': { title: 'changed.noFactors', text: 'changed.noFactorsText' },
  'two_factor.totp_added': { title: 'changed.totp', text: 'changed.totpText' },
  'two_factor.totp_started': { title: 'changed.totpBegun', text: 'changed.totpBegunText' },
  'two_factor.totp_removed': { title: 'changed.noTotp', text: 'changed.noTotpText' },
  'two_factor.passkey_added': { title: 'changed.passkey', text: 'changed.passkeyText' },
  'two_factor.passkey_removed': { title: 'changed.noPasskey', text: 'changed.noPasskeyText' },
  'two_factor.recovery_codes_renewed': { title: 'changed.codes', text: 'changed.codesText' },
  'two_factor.recovery_code_used': { title: 'changed.code', text: 'changed.codeText' },
}

async function mailChange(tx: Db, actor: Actor | SystemActor, record: AuditRecord): Promise<void> {
  const change = accountChanges[record.action]
  const userId = record.resource.type === 'user' ? record.resource.id : actor.userId
  if (!change || !userId) return
  const alive = { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] }
  const user = await tx.user.findUnique({
    where: { id: userId },
    select: {
      name: true,
      email: true,
      language: true,
      _count: { select: { apiTokens: { where: alive }, authorizations: true } },
    },
  })
  if (!user) return
  const { apiTokens: tokens, authorizations: apps } = user._count
  // Show the IP address only if the user made the change, so that the email does not reveal an instance
  // admin's IP address.
  const ip = actor.userId === userId ? actor.ip : undefined
  const say = translatorForUser(user.language)
  sendMail(user.email, accountChangedMail(say, change, { name: user.name, ip, still: { tokens, apps } }))
}

/**
 * Emails a user about each change in `accountChanges`, such as a change of their credentials or their
 * instance admin role (ASVS 5.0, 6.3.7). Notification rules do not apply, because someone who took over the
 * account could use the rules to suppress the email. See ADR 0028.
 */
export const mailAccountChange = listenerOf(accountChanges, mailChange)

/**
 * The numbers of the user's unexpired API tokens and authorized apps. If there are any, the email mentions
 * them, because a new password does not revoke their access.
 */
type StillOpen = { tokens: number; apps: number }

/**
 * Returns the email that notifies a user of a change to their account. Includes instructions for users who
 * did not make the change.
 * @param ip the IP address from which the user made the change; undefined if it is unknown or someone else
 * made the change
 * @param still the numbers of tokens and apps that keep working
 */
function accountChangedMail(
  say: Say,
  change: Change,
  { name, ip, still }: { name: string; ip: string | undefined; still: StillOpen },
): Mail {
  const { BASE_URL, serviceName: service } = config()
  const page = (path: string) => `${BASE_URL}${path}`
  const open = [
    ...(still.tokens > 0 ? [say('changed.tokens', { count: still.tokens })] : []),
    ...(still.apps > 0 ? [say('changed.apps', { count: still.apps })] : []),
  ]
  const what = new Intl.ListFormat(say.language).format(open)
  return composeMail({
    say,
    subject: say('mail.subject', { what: say(change.title), service }),
    name,
    paragraphs: [
      [say(change.text), ...(ip ? [say('changed.from', { ip })] : [])].join(' '),
      say('changed.advice'),
      ...(what ? [say('changed.still', { what })] : []),
    ],
    actions: [
      { label: say('reset.mailAction'), url: page('/forgot-password') },
      ...(still.tokens > 0 ? [{ label: say('changed.seeTokens'), url: page('/account/tokens') }] : []),
      ...(still.apps > 0 ? [{ label: say('changed.seeApps'), url: page('/account/apps') }] : []),
    ],
  })
}
