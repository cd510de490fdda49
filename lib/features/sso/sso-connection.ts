import { config } from '@/lib/base/config/env'
import { unseal } from '@/lib/base/credentials/seal'
import { isId, prisma } from '@/lib/base/db/prisma'
import { domainOf } from '@/lib/base/mail/email-address'
import { remember } from '@/lib/base/process/remember'
import { providerName } from '@/lib/policy/required-sso'

/** The identity provider of a workspace as a sign-in method. */
export type SsoConnection = {
  /**
   * The provider ID. It is part of the callback URL, so that a response from one provider is not accepted as
   * a response from another provider (RFC 9700 section 4.4).
   */
  id: string
  workspaceId: string
  workspaceName: string
  issuer: string
  clientId: string
  secret: string | undefined
}

const prefix = 'sso-'

/** Returns the workspace ID in a provider ID, or undefined for the providers of the instance. */
const workspaceOfProviderId = (id: string): string | undefined =>
  id.startsWith(prefix) ? id.slice(prefix.length) : undefined

/**
 * Returns whether an ID has the format of an SSO connection's provider ID, unlike the IDs of the instance's
 * own providers. Does not check whether the connection exists.
 */
export const isSsoProviderId = (id: string): boolean => workspaceOfProviderId(id) !== undefined

/** Returns the ID that identifies a workspace's provider in URLs. */
export const ssoProviderId = (workspaceId: string): string => `${prefix}${workspaceId}`

/** Returns the redirect URI to register at a workspace's provider. */
export const ssoCallbackUrl = (workspaceId: string): string =>
  `${config().BASE_URL}/api/auth/callback/${ssoProviderId(workspaceId)}`

/**
 * Returns the SSO connection that has this provider ID, or undefined if no connection has it or the
 * connection's domain is not verified.
 */
export async function findConnection(id: string): Promise<SsoConnection | undefined> {
  const workspaceId = workspaceOfProviderId(id)
  return workspaceId !== undefined && isId(workspaceId) ? readConnection({ workspaceId }) : undefined
}

/**
 * Returns the SSO connection whose verified domain is an email address's domain, or undefined if there is
 * none. See ADR 0024.
 */
export async function findConnectionForEmail(email: string): Promise<SsoConnection | undefined> {
  const domain = domainOf(email.trim())
  return domain === undefined ? undefined : readConnection({ domain })
}

async function readConnection(
  where: { workspaceId: string } | { domain: string },
): Promise<SsoConnection | undefined> {
  const found = await prisma().workspaceIdentityProvider.findFirst({
    where: { ...where, verifiedAt: { not: null } },
    include: { workspace: { select: { name: true } } },
  })
  if (!found) return undefined
  const { workspaceId, issuer, clientId, sealedSecret, workspace } = found
  return {
    id: ssoProviderId(workspaceId),
    workspaceId,
    workspaceName: workspace.name,
    issuer,
    clientId,
    secret: sealedSecret ? unseal(sealedSecret, 'identity-provider') : undefined,
  }
}

const keptMs = 60_000

/**
 * Returns whether any SSO connection has a verified domain. If there is none, the sign-in page does not link
 * to SSO. Each process caches the result for a minute.
 */
export async function hasSsoConnections(): Promise<boolean> {
  const known = remember<{ any?: Promise<boolean>; readAt: number }>('sso connections', () => ({
    readAt: 0,
  }))
  if (!known.any || performance.now() - known.readAt > keptMs) {
    known.readAt = performance.now()
    known.any = prisma()
      .workspaceIdentityProvider.findFirst({
        where: { verifiedAt: { not: null } },
        select: { workspaceId: true },
      })
      .then((found) => found !== null)
    known.any.catch(() => {
      known.readAt = 0
      delete known.any
    })
  }
  return known.any
}

const namePrefix = providerName('')

/**
 * Returns the SSO connections among the provider names of a user's `identities`, each with its workspace's
 * name, sorted by the workspace's name. Ignores the instance's own providers and deleted workspaces.
 */
export async function ssoConnectionNames(providers: string[]): Promise<{ id: string; name: string }[]> {
  const ids = providers
    .filter((provider) => provider.startsWith(namePrefix))
    .map((provider) => provider.slice(namePrefix.length))
  const named = await prisma().workspace.findMany({
    where: { id: { in: [...new Set(ids)] } },
    orderBy: { name: 'asc' },
    select: { id: true, name: true },
  })
  return named.map(({ id, name }) => ({ id: providerName(id), name }))
}
