/** Whom a workspace's provider knows stand among the accounts at providers (`identities`) under this name of it. */
export const providerName = (workspaceId: string): string => `workspace:${workspaceId}`

/** The accounts that people have at a workspace's provider. */
export const linksThrough = (workspaceId: string) => ({ provider: providerName(workspaceId) })

/** How a provider tells people apart: by `sub`, and within a tenant of its own where it has several (ID-JAG draft, section 6.3). */
export const subjectOf = (sub: string, tenant: unknown): string =>
  typeof tenant === 'string' && tenant !== '' ? JSON.stringify([tenant, sub]) : sub

/**
 * Whether a provider may speak for an account: one whose own address is in the domain that is proven now, and no operator's. Whoever
 * could set a provider would be an operator otherwise.
 */
export const speaksFor = (domain: string, user: { email: string; instanceAdmin: boolean }): boolean =>
  domainOf(user.email) === domain && !user.instanceAdmin

/** The domain of an address, in lower case; undefined for what is no address. */
export function domainOf(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  return at > 0 ? address.slice(at + 1).toLowerCase() : undefined
}
