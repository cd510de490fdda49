/** Whom a workspace's provider knows stand among the accounts at providers (`identities`) under this name of it. */
export const providerName = (workspaceId: string): string => `workspace:${workspaceId}`

/** The accounts that people have at a workspace's provider. */
export const linksThrough = (workspaceId: string) => ({ provider: providerName(workspaceId) })

/** The accounts that people have at the providers of any workspaces. */
export const linksThroughAny = { provider: { startsWith: providerName('') } }

/** By whose word somebody signs in: that of a workspace's provider, and of the issuer that it was then. */
export type CompanyWord = { companyId: string; companyIssuer: string }

/**
 * SQL: whether a company's provider may speak for an account: its domain is proven, the account's own address is in it now, and it is
 * no operator's. Asked at every use of what came by the provider's word. See decision 229.
 * @param ip the alias of `workspace_identity_providers`
 * @param u the alias of `users`
 */
export const speaksForAccount = (ip: string, u: string): string =>
  `${ip}.verified_at IS NOT NULL AND NOT ${u}.instance_admin AND right(${u}.email, length(${ip}.domain) + 1) = '@' || ${ip}.domain`
