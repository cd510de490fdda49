import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Visitor } from '@/lib/base/http/visitor'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { recordEvent, type SystemActor } from '@/lib/features/audit/record-event'
import { identitiesAtProvider } from '@/lib/policy/required-sso'
import { findEmailToken, redeemEmailToken, unusableLinkError } from '../email/email-tokens'
import { hashNewPassword } from './password'
import { resetPasswordInput } from './request-password-reset'

/**
 * Sets a new password with an emailed link and ends all the user's sessions. The link proves access to the mailbox, so the
 * email address counts as verified. Two-factor authentication remains, because a mailbox alone must not give access to the
 * account. If the address was unverified, an attacker might have created the account. In that case, removes all other
 * credentials. If the instance sends email, also removes everyone else's access to the personal workspace. See ADR 0028.
 * @param input `token`, `password`
 * @returns `cleared`, which is true if the other credentials were removed
 * @throws AppError BAD_USER_INPUT on `password` (the link stays usable), NOT_FOUND (the link is not usable, or was sent to a
 * previous email address)
 */
export async function resetPassword(visitor: Visitor, input: unknown): Promise<{ cleared: boolean }> {
  const { token, password } = parseInput(resetPasswordInput, input)
  const link = await findEmailToken('RESET_PASSWORD', token)
  // Rejects a forged link before hashing, which costs CPU time and 19 MB of memory.
  if (!link) throw unusableLinkError()
  const passwordHash = await hashNewPassword(password, link.user)
  return prisma().$transaction(async (tx) => {
    const { user, email } = await redeemEmailToken(tx, 'RESET_PASSWORD', token)
    if (email !== user.email)
      throw new AppError(
        'NOT_FOUND',
        'This link was sent to your previous email address. Request a new link.',
      )
    const cleared = user.emailVerifiedAt === null
    const actor: SystemActor = { kind: 'system', userId: user.id, ...visitor }
    if (cleared) {
      await removeCredentials(tx, user.id)
      // If the instance sends no email, no email address can be verified. The link then comes from an instance admin, who
      // knows the owner, so the workspace is not cleared.
      if (canSendMail()) await clearPersonalWorkspace(tx, actor, user.id)
    }
    const now = new Date()
    await tx.user.update({
      where: { id: user.id },
      data: { passwordHash, emailVerifiedAt: user.emailVerifiedAt ?? now },
    })
    await tx.session.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: now } })
    // Ends pending sign-ins that began with the old password. Invalidates the links that were emailed to the user, such as
    // those for a pending change of the email address.
    await tx.pendingSignIn.deleteMany({ where: { userId: user.id } })
    await tx.emailToken.deleteMany({ where: { userId: user.id } })
    await recordEvent(tx, actor, {
      action: 'user.password_reset',
      resource: { type: 'user', id: user.id },
      details: { cleared },
    })
    return { cleared }
  })
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
 * Revokes all access to the user's personal workspace except the user's own membership, and stops everything that sends the
 * workspace's data elsewhere. Does nothing if the user has no personal workspace. Removes the other members and their project
 * roles. Also removes the workspace's tokens, invitations, webhooks, audit stream, SSO connections, installations,
 * SSO-managed apps, and app transfers, and the secrets and keys of its apps. The user becomes the only admin, regardless of
 * the user's previous role. Projects and app settings remain.
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
  // Deletes invitations before members, so that a user who accepts an invitation at this moment is already a member and is
  // removed below.
  const invitations = await tx.invitation.deleteMany({ where: { workspaceId } })
  const members = await tx.workspaceMember.deleteMany({ where: { workspaceId, userId: others } })
  const projectMembers = await tx.projectMember.deleteMany({
    where: { project: { workspaceId }, userId: others },
  })
  // Otherwise, members of a deleted project would regain their roles when the project is restored.
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
  // Read the app IDs first, because Citus rejects subqueries in statements that change replicated tables (ADR 0039).
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
