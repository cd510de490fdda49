import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { seal } from '@/lib/base/credentials/seal'
import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { oneOf, parseInput, shortText } from '@/lib/base/errors/input'
import { domainName } from '@/lib/base/mail/email-address'
import { requireDecider } from '@/lib/features/app-access/list-installed'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { WorkspaceIdentityProvider } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { identitiesAtProvider } from '@/lib/policy/required-sso'
import { allScopes, resourceOf } from '@/lib/policy/scopes'
import { endSessionsOfConnection, signOutDomain } from './end-sessions'

/**
 * Returns whether a value is an issuer identifier (RFC 8414 section 2): an https URL without a user name,
 * password, query, or fragment.
 */
function isIssuer(value: string): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'https:' && !url.username && !url.password && !url.search && !url.hash
}

/**
 * The input for an SSO connection. If `clientSecret` is omitted or empty and the issuer is unchanged, the
 * stored secret is kept. `joinAs`, the role of users who join through the provider, cannot be ADMIN.
 */
const providerInput = z.object({
  issuer: shortText(300).refine(isIssuer, 'Enter the provider’s issuer, which is an https URL.'),
  clientId: z.string().trim().min(1, 'Enter the client ID from the provider.').max(300),
  clientSecret: z.string().trim().max(500).nullish(),
  domain: domainName,
  joinAs: z
    .union([z.literal('').transform(() => null), z.enum(['VIEWER', 'MEMBER'])], {
      error: 'Choose viewer or member. Users can’t become admins by signing in.',
    })
    .nullish(),
  requiresSso: z.union([z.boolean(), z.literal('on').transform(() => true)]).nullish(),
})

/**
 * The scopes available to SSO-managed apps: only workspace scopes, and no scopes for individual projects or
 * user data.
 */
export const managedScopes = allScopes.filter((scope) => resourceOf(scope) === 'workspace')

/**
 * The input for an SSO-managed app. `scopes` is a list, or text in which whitespace separates the scopes.
 * Duplicates are removed.
 */
export const managedAppInput = z.object({
  clientId: z.string().trim().min(1, 'Enter a client ID.').max(500),
  scopes: z
    .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
    .transform((list) => [...new Set(list.filter(Boolean))])
    .pipe(
      z
        .array(z.enum(managedScopes as [string, ...string[]], oneOf(managedScopes)))
        .min(1, 'Choose at least one scope.'),
    ),
})

/**
 * A workspace's identity provider. The encrypted client secret is omitted, and `hasSecret` is whether one is
 * stored.
 */
export type IdentityProvider = Omit<WorkspaceIdentityProvider, 'sealedSecret'> & { hasSecret: boolean }

const shown = ({ sealedSecret, ...rest }: WorkspaceIdentityProvider): IdentityProvider => ({
  ...rest,
  hasSecret: sealedSecret !== null,
})

/**
 * Returns the identity provider of a workspace, or null if none is set.
 * @throws the errors of `requireDecider`
 */
export async function readProvider(actor: Actor, workspaceId: string): Promise<IdentityProvider | null> {
  const { id } = await requireDecider(actor, workspaceId)
  const found = await prisma().workspaceIdentityProvider.findUnique({ where: { workspaceId: id } })
  return found && shown(found)
}

/**
 * Creates or updates the identity provider of a workspace. A new domain is unverified until `verifySsoDomain`
 * verifies it. If the issuer or the domain changes, the former connection's sessions end, its user links are
 * removed, and the lists of its SSO-managed apps' users are cleared. If SSO becomes required in a verified
 * domain, or the issuer changes while SSO is already required, the sessions of the domain's users end
 * (`signOutDomain`). See ADR 0024.
 * @param input `issuer`, `clientId`, `clientSecret` (default: the stored secret if the issuer is unchanged,
 * otherwise none), `domain`; `joinAs`, the role of users who join through the provider (default: users cannot
 * join this way); `requiresSso`, whether users in the domain can sign in only through the provider (default:
 * false)
 * @throws AppError BAD_USER_INPUT, and the errors of `requireDecider`, `authorizeAccount`, and
 * `lockWorkspaceRole`
 */
export async function setProvider(
  actor: Actor,
  workspaceId: string,
  input: unknown,
): Promise<IdentityProvider> {
  const { id } = await requireDecider(actor, workspaceId)
  authorizeAccount(actor)
  const { clientSecret, domain, clientId, issuer, joinAs, requiresSso } = parseInput(providerInput, input)
  // Reject an issuer on this instance's own host, because an instance cannot be its own identity provider.
  if (new URL(issuer).host === new URL(config().BASE_URL).host)
    throw badInput(
      'issuer',
      'This is the issuer of this instance. Enter the issuer of your identity provider.',
    )
  return inTransaction(async (tx) => {
    await lockWorkspaceRole(tx, actor, 'workspace:decide-apps', id)
    const before = await tx.workspaceIdentityProvider.findUnique({ where: { workspaceId: id } })
    const claim = before?.domain === domain ? {} : newClaim(domain)
    const rules = { joinAs: joinAs ?? null, requiresSso: requiresSso ?? false }
    const named = { issuer, clientId, ...rules, ...claim }
    // Keep the stored secret only if the issuer is unchanged. Otherwise, the secret would be sent to another
    // provider.
    const sealed = clientSecret
      ? Uint8Array.from(seal(clientSecret, 'identity-provider'))
      : before?.issuer === issuer
        ? before.sealedSecret
        : null
    const saved = await tx.workspaceIdentityProvider.upsert({
      where: { workspaceId: id },
      create: { workspaceId: id, ...newClaim(domain), ...named, sealedSecret: sealed },
      update: { ...named, sealedSecret: sealed },
    })
    // If the issuer or the domain changed, remove the user links, because the same subject can identify a
    // different user at the new issuer or in the new domain. Remove them after the update, because sign-ins
    // through the former provider can add links until then.
    const replaced = before !== null && (before.issuer !== issuer || before.domain !== domain)
    if (replaced) await unlink(tx, actor, id)
    await recordEvent(tx, actor, {
      action: 'workspace.identity_provider_set',
      resource: { type: 'workspace', id },
      workspaceId: id,
      details: { issuer, domain, ...rules },
    })
    // Anyone can enter any domain, so do not sign users out until the domain is verified.
    if (saved.requiresSso && saved.verifiedAt && (replaced || !before?.requiresSso))
      await signOutDomain(tx, actor, saved)
    return shown(saved)
  })
}

/**
 * Removes the identity provider of a workspace. Sessions and app access that depend on the provider end
 * immediately, with one exception: if the actor signed in through the provider, the actor's own session
 * continues for up to an hour.
 * @throws AppError NOT_FOUND, and the errors of `requireDecider`, `authorizeAccount`, and `lockWorkspaceRole`
 */
export async function removeProvider(actor: Actor, workspaceId: string): Promise<void> {
  const { id } = await requireDecider(actor, workspaceId)
  authorizeAccount(actor)
  await prisma().$transaction(async (tx) => {
    await lockWorkspaceRole(tx, actor, 'workspace:decide-apps', id)
    const before = await tx.workspaceIdentityProvider.findUnique({ where: { workspaceId: id } })
    if (!before) throw new AppError('NOT_FOUND', 'The workspace has no identity provider to remove.')
    await tx.workspaceIdentityProvider.delete({ where: { workspaceId: id } })
    await unlink(tx, actor, id)
    await recordEvent(tx, actor, {
      action: 'workspace.identity_provider_removed',
      resource: { type: 'workspace', id },
      workspaceId: id,
      details: { issuer: before.issuer, domain: before.domain },
    })
  })
}

async function unlink(tx: Db, actor: Actor, workspaceId: string): Promise<void> {
  await endSessionsOfConnection(tx, actor, workspaceId)
  await tx.identity.deleteMany({ where: identitiesAtProvider(workspaceId) })
  // Read the SSO-managed apps first, because Citus does not support deletions that join several tables.
  const apps = await tx.managedApp.findMany({ where: { workspaceId }, select: { id: true } })
  await tx.managedUse.deleteMany({ where: { managedAppId: { in: apps.map(({ id }) => id) } } })
}

const newClaim = (domain: string) => ({
  domain,
  token: randomBytes(16).toString('base64url'),
  verifiedAt: null,
  checkedAt: null,
  problem: null,
  failingSince: null,
})
