import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { type Db, isId, prisma, storedId } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { asStoredAddress } from '@/lib/base/mail/email-address'
import { recordEvent } from '@/lib/features/audit/record-event'
import { mintEmailToken } from '@/lib/features/identity/email/email-tokens'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole, lockInstanceAdmins } from '@/lib/policy/lock-role'

/**
 * Grants or revokes the instance admin right. Granting the right ends the user's sessions that began at an
 * identity provider, because instance admins cannot use SSO connections. Sessions from the instance's own
 * providers also end, because a session does not show whether it began through an SSO connection that was
 * removed later. See ADR 0024.
 * @returns whether the right changed
 */
async function giveRight(tx: Db, userId: string, instanceAdmin: boolean): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, instanceAdmin: !instanceAdmin },
    data: { instanceAdmin },
  })
  if (count === 0) return false
  if (instanceAdmin) {
    await tx.session.updateMany({
      where: { userId, methods: { has: 'ext' }, revokedAt: null },
      data: { revokedAt: new Date(databaseNow()) },
    })
  }
  return true
}

/**
 * The result of a change: the user's name, whether the right changed, and whether the user's email address is
 * confirmed.
 */
type Outcome = { name: string; changed: boolean; confirmed: boolean }

/**
 * Makes a user an instance admin. The command `latchkey grant-admin` calls this function, for example to
 * create the first instance admin, or if no existing instance admin can sign in. If the right changes, the
 * audit log records a system action, and the user receives an email. If the instance sends emails, the user's
 * email address must be confirmed, because an attacker might have signed up with the address before its owner
 * did.
 * @param email the email address as entered
 * @throws AppError NOT_FOUND, or CONFLICT if the user is suspended or the address is not confirmed
 */
export const makeInstanceAdmin = (email: string): Promise<Outcome> =>
  change(email, async (tx, user) => {
    if (user.suspendedAt)
      throw new AppError('CONFLICT', `${user.email} is suspended. Unsuspend the user first.`)
    if (!user.emailVerifiedAt && config().SMTP_URL !== undefined) {
      throw new AppError(
        'CONFLICT',
        `${user.email} is not confirmed, so anyone could have signed up with it. Ask the user to open the link in the confirmation email, then try again.`,
      )
    }
    return setRight(tx, user.id, true)
  })

/**
 * Revokes a user's instance admin right, unless the user is the only instance admin who is not suspended. The
 * command `latchkey revoke-admin` calls this function. If the right changes, the audit log records a system
 * action, and the user receives an email.
 * @param email the email address as entered
 * @throws AppError NOT_FOUND, or CONFLICT if the user is the only instance admin who is not suspended
 */
export const revokeInstanceAdmin = (email: string): Promise<Outcome> =>
  change(email, async (tx, user) => {
    const instanceAdmins = await lockInstanceAdmins(tx)
    if (instanceAdmins.length === 1 && instanceAdmins[0] === user.id) {
      throw new AppError(
        'CONFLICT',
        `${user.email} is the only instance admin. Make someone else an instance admin first.`,
      )
    }
    return setRight(tx, user.id, false)
  })

type User = {
  id: string
  name: string
  email: string
  emailVerifiedAt: Date | null
  suspendedAt: Date | null
}

const change = (email: string, work: (tx: Db, user: User) => Promise<boolean>): Promise<Outcome> =>
  prisma().$transaction(async (tx) => {
    const user = await tx.user.findUnique({
      where: { email: asStoredAddress(email) },
      select: { id: true, name: true, email: true, emailVerifiedAt: true, suspendedAt: true },
    })
    if (!user) {
      throw new AppError(
        'NOT_FOUND',
        `No user has the email address ${email}. Ask the user to sign up at /signup first.`,
      )
    }
    const changed = await work(tx, user)
    return { name: user.name, changed, confirmed: user.emailVerifiedAt !== null }
  })

async function setRight(tx: Db, id: string, instanceAdmin: boolean): Promise<boolean> {
  if (!(await giveRight(tx, id, instanceAdmin))) return false
  await recordEvent(
    tx,
    { kind: 'system', userId: id },
    {
      action: instanceAdmin ? 'user.instance_admin_added' : 'user.instance_admin_removed',
      resource: { type: 'user', id },
      details: { by: 'command' },
    },
  )
  return true
}

/**
 * Runs an action on a user and records the event in the same transaction. Records no event if `work` returns
 * `false` because nothing changed.
 */
async function manage<Result>(
  actor: Actor,
  id: string,
  action: string,
  work: (tx: Db, user: { id: string; email: string }) => Promise<Result>,
): Promise<Result> {
  authorizeInstance(actor)
  const done = await prisma().$transaction(async (tx) => {
    await lockInstanceAdminRole(tx, actor)
    const user = isId(id)
      ? await tx.user.findUnique({ where: { id }, select: { id: true, email: true } })
      : null
    if (!user) throw new AppError('NOT_FOUND', 'The user was not found.')
    const result = await work(tx, user)
    if (result !== false) await recordEvent(tx, actor, { action, resource: { type: 'user', id } })
    return result
  })
  if (done !== false) log.info('an instance admin acted', { action, instanceAdmin: actor.userId, user: id })
  return done
}

const endSessions = (tx: Db, userId: string) =>
  tx.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } })

const notOneself = (actor: Actor, id: string) => {
  if (actor.userId === storedId(id))
    throw new AppError('CONFLICT', 'You can’t do this to your own account. Ask another instance admin.')
}

/**
 * Suspends a user. Ends the user's sessions and pending sign-ins. From then on, the user's tokens, apps, and
 * new sign-ins are rejected. The user's resources are kept.
 * @throws AppError FORBIDDEN, NOT_FOUND, or CONFLICT if the user is the actor
 */
export async function suspendUser(actor: Actor, id: string): Promise<void> {
  await manage(actor, id, 'user.suspended', async (tx) => {
    notOneself(actor, id)
    const { count } = await tx.user.updateMany({
      where: { id, suspendedAt: null },
      data: { suspendedAt: new Date() },
    })
    await endSessions(tx, id)
    await tx.pendingSignIn.deleteMany({ where: { userId: id } })
    return count > 0
  })
}

/**
 * Ends a user's suspension. The user's tokens and apps work again.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export async function unsuspendUser(actor: Actor, id: string): Promise<void> {
  await manage(actor, id, 'user.unsuspended', async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id, suspendedAt: { not: null } },
      data: { suspendedAt: null },
    })
    return count > 0
  })
}

/**
 * Ends all of a user's sessions. Tokens and apps keep working.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export async function signOutUser(actor: Actor, id: string): Promise<void> {
  await manage(actor, id, 'user.signed_out', (tx) => endSessions(tx, id))
}

/**
 * Removes the authenticator app, passkeys, and recovery codes of a user who lost them, and ends the user's
 * sessions.
 * @throws AppError FORBIDDEN, NOT_FOUND, or CONFLICT if the user is the actor; instance admins remove their
 * own methods under Account > Security
 */
export async function removeTwoFactorMethods(actor: Actor, id: string): Promise<void> {
  await manage(actor, id, 'user.two_factor_removed', async (tx) => {
    notOneself(actor, id)
    await tx.totpSecret.deleteMany({ where: { userId: id } })
    await tx.passkey.deleteMany({ where: { userId: id } })
    await tx.recoveryCode.deleteMany({ where: { userId: id } })
    await endSessions(tx, id)
  })
}

/**
 * Creates a password reset link, which replaces earlier reset links. The instance admin sends the link to the
 * user, for example if the instance does not send emails.
 * @returns the link, which is shown only once, can be used once, and expires after an hour
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export async function makeResetLink(actor: Actor, id: string): Promise<{ link: string }> {
  const token = await manage(actor, id, 'user.reset_link_created', (tx, { email }) =>
    mintEmailToken(tx, { purpose: 'RESET_PASSWORD', userId: id, email }),
  )
  return { link: `${config().BASE_URL}/reset-password?token=${token}` }
}

/**
 * Grants or revokes the instance admin right. Granting the right ends the user's sessions that began at an
 * identity provider. Instance admins cannot revoke their own right, so at least one instance admin always
 * remains.
 * @throws AppError FORBIDDEN, NOT_FOUND, or CONFLICT if the user is the actor
 */
export async function setInstanceAdmin(actor: Actor, id: string, instanceAdmin: boolean): Promise<void> {
  const action = instanceAdmin ? 'user.instance_admin_added' : 'user.instance_admin_removed'
  await manage(actor, id, action, async (tx) => {
    notOneself(actor, id)
    return giveRight(tx, id, instanceAdmin)
  })
}
