import { config } from '@/lib/base/config/env'
import { unseal } from '@/lib/base/credentials/seal'
import { isId, prisma } from '@/lib/base/db/prisma'
import { domainOf } from '@/lib/base/mail/email-address'
import { remember } from '@/lib/base/process/remember'
import { providerName } from '@/lib/policy/required-sso'

/** A company's identity provider as a way to sign in. */
export type CompanyDoor = {
  /** By which its callback is named, so that no provider's answer passes for another's (RFC 9700 section 4.4). */
  id: string
  workspaceId: string
  workspaceName: string
  issuer: string
  clientId: string
  secret: string | undefined
}

const prefix = 'company-'

/** The workspace whose provider an id names; undefined for those of the instance admin's. */
const workspaceOfDoor = (id: string): string | undefined =>
  id.startsWith(prefix) ? id.slice(prefix.length) : undefined

/** Whether an id names a company's provider, and none of the instance admin's. */
export const isDoor = (id: string): boolean => workspaceOfDoor(id) !== undefined

/** What a workspace's provider is called in addresses. */
export const doorId = (workspaceId: string): string => `${prefix}${workspaceId}`

/** Where a workspace's provider sends people back to; to be registered there. */
export const callbackOfDoor = (workspaceId: string): string =>
  `${config().BASE_URL}/api/auth/callback/${doorId(workspaceId)}`

/** The way in through a company's provider, by its name in addresses; undefined where there is none, or its domain is not proven. */
export async function findDoor(id: string): Promise<CompanyDoor | undefined> {
  const workspaceId = workspaceOfDoor(id)
  return workspaceId !== undefined && isId(workspaceId) ? openDoor({ workspaceId }) : undefined
}

/** The way in for an address, by its domain. See ADR 0030. */
export async function doorForAddress(email: string): Promise<CompanyDoor | undefined> {
  const domain = domainOf(email.trim())
  return domain === undefined ? undefined : openDoor({ domain })
}

async function openDoor(
  where: { workspaceId: string } | { domain: string },
): Promise<CompanyDoor | undefined> {
  const found = await prisma().workspaceIdentityProvider.findFirst({
    where: { ...where, verifiedAt: { not: null } },
    include: { workspace: { select: { name: true } } },
  })
  if (!found) return undefined
  const { workspaceId, issuer, clientId, sealedSecret, workspace } = found
  return {
    id: doorId(workspaceId),
    workspaceId,
    workspaceName: workspace.name,
    issuer,
    clientId,
    secret: sealedSecret ? unseal(sealedSecret, 'identity-provider') : undefined,
  }
}

const keptMs = 60_000

/** Whether any company signs in here, as of the last minute: the form that leads there is not shown for none. */
export async function hasDoors(): Promise<boolean> {
  const known = remember<{ any?: Promise<boolean>; readAt: number }>('companies that sign in', () => ({
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

const prefixOfCompanyNames = providerName('')

/** What companies' providers are called, by their workspaces, as the accounts at them have it; the rest of the names is left out. */
export async function companyNames(providers: string[]): Promise<{ id: string; name: string }[]> {
  const ids = providers
    .filter((provider) => provider.startsWith(prefixOfCompanyNames))
    .map((provider) => provider.slice(prefixOfCompanyNames.length))
  const named = await prisma().workspace.findMany({
    where: { id: { in: [...new Set(ids)] } },
    orderBy: { name: 'asc' },
    select: { id: true, name: true },
  })
  return named.map(({ id, name }) => ({ id: providerName(id), name }))
}
