import type { Db } from '@/lib/base/db/prisma'
import type { SystemActor } from '@/lib/features/audit/audit-record'
import { recordEvent } from '@/lib/features/audit/record-event'
import { linksThrough } from '@/lib/policy/required-sso'

/**
 * Takes everything out of a person's own workspace through which somebody else could still act in it or hear of it:
 * members and their roles in projects, their tokens, invitations, webhooks, its audit stream, the secrets and keys of its apps, and
 * offers of them to other workspaces. The
 * person administers it alone afterwards, whatever role was left to them; projects and the apps' settings stay.
 * @param tx the transaction in which the person takes the account over
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
  // Before the members: whoever is just accepting one is a member by the time those are looked for.
  const invitations = await tx.invitation.deleteMany({ where: { workspaceId } })
  const members = await tx.workspaceMember.deleteMany({ where: { workspaceId, userId: others } })
  const projectMembers = await tx.projectMember.deleteMany({
    where: { project: { workspaceId }, userId: others },
  })
  // Roles that a project brings back when it is restored.
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
  // By their ids: with Citus one statement does not reach what lies on every node and what does not.
  const apps = await tx.oAuthClient.findMany({ where: { workspaceId }, select: { id: true } })
  const ofApps = { clientId: { in: apps.map(({ id }) => id) } }
  const secrets = await tx.oAuthClientSecret.deleteMany({ where: ofApps })
  const offers = await tx.appOffer.deleteMany({ where: ofApps })
  const providers = await tx.workspaceIdentityProvider.deleteMany({ where: { workspaceId } })
  await tx.identity.deleteMany({ where: linksThrough(workspaceId) })
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
      appOffers: offers.count,
      installations: installations.count,
      identityProviders: providers.count,
      managedApps: managed.count,
    },
  })
}
