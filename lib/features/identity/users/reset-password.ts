import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Visitor } from '@/lib/base/http/visitor'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { recordEvent, type SystemActor } from '@/lib/features/audit/record-event'
import { lockUser } from '@/lib/policy/lock-role'
import { identitiesAtProvider } from '@/lib/policy/required-sso'
import { findEmailToken, redeemEmailToken, unusableLinkError } from '../email/email-tokens'
import { endPendingChanges, hashNewPassword } from './password'
import { resetPasswordInput } from './request-password-reset'
import { resetSignIn } from './sign-in'

/**
 * Sets a new password with an emailed link. Ends all the user's sessions and pending changes. The link proves
 * access to the mailbox, so the email address then counts as verified. If the address was verified before,
 * two-factor authentication remains, because a mailbox alone must not give access to the account. If the
 * address was unverified, an attacker might have created the account. For this reason, all other credentials
 * are removed, including two-factor methods. On an instance that sends email, everyone else's access to the
 * personal workspace is then also removed. See ADR 0028.
 * @param input `token`, `password`
 * @returns `cleared`, which is true if the other credentials were removed
 * @throws AppError BAD_USER_INPUT on `password` (the link stays usable), NOT_FOUND (the link is not usable,
 * or was sent to a previous email address), SERVICE_UNAVAILABLE if the server is too busy to hash the
 * password (the link stays usable)
 */
export async function resetPassword(visitor: Visitor, input: unknown): Promise<{ cleared: boolean }> {
  const { token, password } = parseInput(resetPasswordInput, input)
  const link = await findEmailToken('RESET_PASSWORD', token)
  // Reject an unusable link before hashing the password, because hashing costs CPU time and 19 MB of memory.
  if (!link) throw unusableLinkError()
  const passwordHash = await hashNewPassword(password, link.user)
  const { cleared } = await prisma().$transaction(async (tx) => {
    const { user, email } = await redeemEmailToken(tx, 'RESET_PASSWORD', token)
    if (email !== user.email)
      throw new AppError(
        'NOT_FOUND',
        'This link was sent to your previous email address. Request a new link.',
      )
    const cleared = user.emailVerifiedAt === null
    const actor: SystemActor = { kind: 'system', userId: user.id, ...visitor }
    const now = new Date()
    // End the sessions first. A request that is creating a credential in one of them then either finishes,
    // and its credential is removed below, or it fails (`holdSession`).
    await lockUser(tx, user.id)
    await tx.session.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: now } })
    if (cleared) {
      await removeCredentials(tx, user.id)
      // Clear the workspace only if the instance sends email. On other instances, no address can be verified
      // by email, and the link comes from an instance admin who knows the account's owner.
      if (canSendMail()) await clearPersonalWorkspace(tx, actor, user.id)
    }
    await tx.user.update({
      where: { id: user.id },
      data: { passwordHash, emailVerifiedAt: user.emailVerifiedAt ?? now },
    })
    await endPendingChanges(tx, user)
    await recordEvent(tx, actor, {
      action: 'user.password_reset',
      resource: { type: 'user', id: user.id },
      details: { cleared },
    })
    return { cleared }
  })
  // The owner must be able to sign in now, even if someone else has used up the attempts.
  await resetSignIn(visitor, link.user.email)
  return { cleared }
}

/** Removes all credentials of an account except the password, and ends all apps' access to the account. */
async function removeCredentials(tx: Db, userId: string): Promise<void> {
  await tx.apiToken.deleteMany({ where: { userId } })
  await endAuthorizations(tx, { userId })
  await tx.identity.deleteMany({ where: { userId } })
  await tx.passkey.deleteMany({ where: { userId } })
  await tx.totpSecret.deleteMany({ where: { userId } })
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.sshPublicKey.deleteMany({ where: { userId } })
}

/**
 * Revokes all access to the user's personal workspace except the user's own membership, and stops everything
 * that sends the workspace's data elsewhere. Does nothing if the user has no personal workspace. Removes the
 * other members and their project roles, including roles in deleted projects that can be restored. Also
 * removes the workspace's tokens, invitations, webhooks, audit stream, installations, SSO-managed apps, app
 * transfers, and SSO connections. Disconnects users' accounts at the SSO providers, and removes the secrets
 * and keys of the workspace's apps. The user becomes the only admin, regardless of the user's previous role.
 * Projects and app settings remain.
 * @param tx the transaction in which the user takes over the account
 */
export async function clearPersonalWorkspace(tx: Db, actor: SystemActor, userId: string): Promise<void> {
  const workspace = await tx.workspace.findUnique({
    where: { personalOwnerId: userId },
    select: { id: true },
  })
  if (!workspace) return
  const workspaceId = workspace.id
  const others = { not: userId }
  const inside = { OR: [{ workspaceId }, { project: { workspaceId } }] }
  // Delete invitations before members. If a user is accepting an invitation at this moment, this statement
  // waits until the user is a member, and the next statements remove the user.
  const invitations = await tx.invitation.deleteMany({ where: { workspaceId } })
  const members = await tx.workspaceMember.deleteMany({ where: { workspaceId, userId: others } })
  const projectMembers = await tx.projectMember.deleteMany({
    where: { project: { workspaceId }, userId: others },
  })
  // Empty the members that are stored for deleted projects. Otherwise, these members would regain their roles
  // when a project is restored.
  await tx.deletedProject.updateMany({ where: { workspaceId }, data: { members: [] } })
  const own = { workspaceId, userId }
  await tx.workspaceMember.upsert({
    where: { workspaceId_userId: own },
    create: { ...own, role: 'ADMIN' },
    update: { role: 'ADMIN' },
  })
  const tokens = await tx.apiToken.deleteMany({ where: inside })
  const webhooks = await tx.webhook.deleteMany({ where: { workspaceId } })
  const streams = await tx.auditStream.deleteMany({ where: { placeId: workspaceId } })
  // Read the app IDs first, because Citus rejects subqueries in statements that change replicated tables (ADR
  // 0039).
  const apps = await tx.oAuthClient.findMany({ where: { workspaceId }, select: { id: true } })
  const ofApps = { clientId: { in: apps.map(({ id }) => id) } }
  const secrets = await tx.oAuthClientSecret.deleteMany({ where: ofApps })
  const offers = await tx.appTransfer.deleteMany({ where: ofApps })
  const providers = await tx.workspaceIdentityProvider.deleteMany({ where: { workspaceId } })
  await tx.identity.deleteMany({ where: identitiesAtProvider(workspaceId) })
  const installations = await tx.installation.deleteMany({ where: { workspaceId } })
  const managed = await tx.managedApp.deleteMany({ where: { workspaceId } })
  const keySets = await tx.$executeRaw`
    UPDATE oauth_clients SET metadata = (metadata - 'jwks_uri') || '{"jwks":{"keys":[]}}',
           version = version + 1, updated_at = now()
     WHERE workspace_id = ${workspaceId}::uuid AND metadata ?| array['jwks', 'jwks_uri']`
  await recordEvent(tx, actor, {
    action: 'workspace.cleared',
    resource: { type: 'workspace', id: workspaceId },
    workspaceId,
    details: {
      members: members.count,
      projectMembers: projectMembers.count,
      invitations: invitations.count,
      tokens: tokens.count,
      webhooks: webhooks.count,
      auditStreams: streams.count,
      appSecrets: secrets.count,
      appKeySets: keySets,
      appTransfers: offers.count,
      installations: installations.count,
      identityProviders: providers.count,
      managedApps: managed.count,
    },
  })
}
