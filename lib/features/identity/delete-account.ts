import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { log } from '@/lib/base/log/log'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { asStoredAddress } from '@/lib/base/mail/email-address'
import { type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { tellOfDeletion } from '@/lib/features/apps/activity/back-channel-logout'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { recordEvent } from '@/lib/features/audit/record-event'
import { dropWorkspace, lockToDelete } from '@/lib/features/workspaces/delete-workspace'
import { recordLeft } from '@/lib/features/workspaces/former-members'
import { lockAdminsOfOthers, type SoleAdminOf, soleAdminOf } from '@/lib/features/workspaces/remove-member'
import type { SessionActor } from '@/lib/policy/actor'
import { lockInstanceAdmins, lockUser } from '@/lib/policy/lock-role'
import { requirePassword } from './two-factor/require-password'

const input = z.object({
  confirm: z.string().max(300).default(''),
  password: z.string().max(1000, 'This password is incorrect.').default(''),
})

/**
 * Returns the name of the form field for a workspace. The field's value is `delete` or the ID of the member
 * who receives the workspace.
 */
export const fieldOf = (workspaceId: string): string => `workspace-${workspaceId}`

/**
 * The name of the field in which the user agrees to delete the workspaces that have no other active members.
 * The value contains one workspace ID per line.
 */
const ALONE = 'alone'

/**
 * Returns the workspaces whose only active admin is the user. Before the account is deleted, the user must
 * choose what happens to each of them.
 */
export const workspacesWithoutOtherAdmin = (actor: SessionActor): Promise<SoleAdminOf[]> =>
  soleAdminOf(prisma(), actor.userId)

/**
 * Permanently deletes the user's account with its sessions, tokens, authorizations, keys, and notifications.
 * Queues a sign-out notification for each app that the user is signed in to. Transfers or deletes the
 * workspaces in which the user is the only active admin, as the user chooses. Audit logs keep the user's
 * actions under an ID without a name. The user receives a confirmation email. Requires the password and the
 * user's email address as confirmation. See ADR 0016.
 * @param values `confirm` (the email address), `password`, `alone` (the IDs of the workspaces without other
 * active members), and the field named by `fieldOf` for each workspace in `workspacesWithoutOtherAdmin` that
 * has other active members
 * @throws AppError BAD_USER_INPUT that names the fields, CONFLICT (the last instance admin), and the errors
 * of `requirePassword`
 */
export async function deleteAccount(actor: SessionActor, values: Record<string, unknown>): Promise<void> {
  const { confirm, password } = parseInput(input, values)
  await requirePassword(actor, password)
  const user = await inTransaction(async (tx) => {
    // Lock the instance admins before the user, as all other transactions do. See ADR 0017.
    const instanceAdmins = await lockInstanceAdmins(tx)
    const found = await readLocked(tx, actor.userId)
    if (asStoredAddress(confirm) !== found.email) {
      throw badInput('confirm', 'Type your email address exactly as shown.')
    }
    if (instanceAdmins.length === 1 && instanceAdmins[0] === actor.userId) {
      throw new AppError(
        'CONFLICT',
        'You are the only instance admin. Make someone else an instance admin first.',
      )
    }
    await settleWorkspaces(tx, actor, values)
    await leaveTheRest(tx, actor)
    // Lock the user again with the stronger lock, which blocks concurrent sign-ins and other new rows that
    // refer to the user. The following statements would otherwise miss such rows.
    await tx.$queryRaw`SELECT id FROM users WHERE id = ${actor.userId}::uuid FOR UPDATE`
    await endAuthorizations(tx, { userId: actor.userId })
    await tellOfDeletion(tx, [actor.userId])
    await recordEvent(tx, actor, { action: 'user.deleted', resource: { type: 'user', id: actor.userId } })
    await tx.user.delete({ where: { id: actor.userId } })
    return found
  })
  log.info('an account was deleted', { user: actor.userId })
  sendMail(user.email, accountDeletedMail(translatorForUser(user.language), user.name))
}

/**
 * Locks the user, and returns the name, email address, and language. Other transactions can still write rows
 * that refer to the user. The stronger lock that blocks such writes is taken only after the role locks. If it
 * were taken here, this transaction could deadlock with a transaction that holds a role lock and writes such
 * a row.
 */
async function readLocked(tx: Db, userId: string) {
  await lockUser(tx, userId)
  return tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { name: true, email: true, language: true },
  })
}

async function settleWorkspaces(tx: Db, actor: SessionActor, values: Record<string, unknown>): Promise<void> {
  const alone = new Set(String(values[ALONE] ?? '').split(/\s+/))
  // The `alone` field applies only to workspaces that still have no other active member. If a workspace has
  // gained a member since the form was shown, the user must choose again.
  const choiceFor = ({ id, heirs }: SoleAdminOf) =>
    heirs.length === 0 && alone.has(id) ? 'delete' : values[fieldOf(id)]
  const going = (await soleAdminOf(tx, actor.userId)).filter((each) => choiceFor(each) === 'delete')
  await lockToDelete(
    tx,
    going.map(({ id }) => id),
  )
  await lockAdminsOfOthers(tx, [actor.userId])
  const wrong: Record<string, string> = {}
  const left = await soleAdminOf(tx, actor.userId)
  for (const workspace of left) {
    const { id, heirs } = workspace
    const choice = choiceFor(workspace)
    if (choice === 'delete' || heirs.some((heir) => heir.id === choice)) continue
    if (heirs.length === 0)
      wrong[ALONE] = 'Confirm that you want to delete the workspaces without other members.'
    else wrong[fieldOf(id)] = 'Choose a member to transfer the workspace to, or delete it.'
  }
  const [field, message] = Object.entries(wrong)[0] ?? []
  if (field) throw new AppError('BAD_USER_INPUT', message, { field, fields: wrong })
  for (const workspace of left) {
    const choice = String(choiceFor(workspace))
    if (choice === 'delete') await dropWorkspace(tx, actor, workspace)
    else await handOver(tx, actor, workspace.id, choice)
  }
}

async function handOver(tx: Db, actor: SessionActor, workspaceId: string, userId: string): Promise<void> {
  const key = { workspaceId_userId: { workspaceId, userId } }
  const { role } = await tx.workspaceMember.findUniqueOrThrow({ where: key, select: { role: true } })
  await tx.workspaceMember.update({ where: key, data: { role: 'ADMIN' } })
  await recordEvent(tx, actor, {
    action: 'member.role_changed',
    resource: { type: 'user', id: userId },
    workspaceId,
    details: { from: role, to: 'ADMIN' },
  })
}

/** Records the user's departure from the remaining workspaces. */
async function leaveTheRest(tx: Db, actor: SessionActor): Promise<void> {
  const memberships = await tx.workspaceMember.findMany({
    where: { userId: actor.userId },
    select: { workspaceId: true, role: true },
  })
  await recordLeft(tx, actor.userId, memberships)
  for (const { workspaceId, role } of memberships) {
    await recordEvent(tx, actor, {
      action: 'member.left',
      resource: { type: 'user', id: actor.userId },
      workspaceId,
      details: { role },
    })
  }
}

/** Returns the email that confirms the deletion of an account. */
function accountDeletedMail(say: Say, name: string): Mail {
  const service = config().serviceName
  return composeMail({
    say,
    subject: say('deleted.mailSubject', { service }),
    name,
    paragraphs: [say('deleted.mailText', { service })],
    footer: say('deleted.mailUnasked'),
  })
}
