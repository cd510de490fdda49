import type { Db } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { Prisma } from '@/lib/generated/prisma/client'

/** Returns the provider name under which `identities` stores the accounts at a workspace's provider. */
export const providerName = (workspaceId: string): string => `workspace:${workspaceId}`

/** Returns a filter for the accounts at a workspace's provider. */
export const identitiesAtProvider = (workspaceId: string) => ({ provider: providerName(workspaceId) })

/** A filter for the accounts at all workspaces' providers. */
export const identitiesAtAnyProvider = { provider: { startsWith: providerName('') } }

/** The SSO connection of a sign-in: its workspace, and its issuer at the time of the sign-in. */
export type SsoOrigin = { ssoWorkspaceId: string; ssoIssuer: string }

/**
 * Returns SQL: whether an SSO connection applies to an account. The connection's domain must be verified, the
 * account's current email address must be in that domain, and the user must not be an instance admin. These
 * conditions are checked whenever a session that began through SSO or a token of an SSO-managed app is used.
 * See ADR 0024.
 * @param ip the alias of `workspace_identity_providers`
 * @param u the alias of `users`
 */
export const coversAccount = (ip: string, u: string): string =>
  `${ip}.verified_at IS NOT NULL AND NOT ${u}.instance_admin AND right(${u}.email, length(${ip}.domain) + 1) = '@' || ${ip}.domain`

/**
 * Required SSO: a workspace can require users with an email address in its verified domain to sign in through
 * its provider. The requirement applies to the whole account: to all of the user's sessions, tokens, and
 * authorizations, regardless of how and when they were created. Otherwise, a user whom the provider has
 * removed would keep access. See ADR 0024.
 *
 * The requirement applies to users with a role in the workspace or in one of its projects. Instance admins
 * are exempt, so that someone can fix a wrong setting. If the domain's verification lapses, the requirement
 * remains until another workspace verifies the domain. Until then, the workspace's admins are exempt, so that
 * they can verify the domain again or turn the requirement off.
 */

const hasRole = (ip: string, u: string): string =>
  `(EXISTS (SELECT FROM workspace_members rm WHERE rm.workspace_id = ${ip}.workspace_id AND rm.user_id = ${u}.id)
    OR EXISTS (SELECT FROM project_members rp JOIN projects p ON p.id = rp.project_id
                WHERE rp.user_id = ${u}.id AND p.workspace_id = ${ip}.workspace_id))`

const lapsedFor = (ip: string, u: string): string =>
  `(${ip}.failing_since IS NOT NULL
    AND NOT EXISTS (SELECT FROM workspace_members ra
                     WHERE ra.workspace_id = ${ip}.workspace_id AND ra.user_id = ${u}.id AND ra.role = 'ADMIN')
    AND NOT EXISTS (SELECT FROM workspace_identity_providers taken
                     WHERE taken.domain = ${ip}.domain AND taken.verified_at IS NOT NULL))`

/**
 * Returns SQL: whether a user must sign in through a provider.
 * @param ip the alias of `workspace_identity_providers`
 * @param u the alias of `users`
 */
export const mustSignInWithSso = (ip: string, u: string): string =>
  `${ip}.only_door AND ${ip}.domain = split_part(${u}.email, '@', 2) AND NOT ${u}.instance_admin
   AND (${ip}.verified_at IS NOT NULL OR ${lapsedFor(ip, u)}) AND ${hasRole(ip, u)}`

/**
 * Returns SQL: whether a user might have to sign in through a provider, because some workspace requires SSO
 * for the domain of the user's email address. The SQL reads only tables that exist on every Citus node, so
 * statements that look up a token can include the SQL. The full check (`workspaceRequiringSso`) runs only if
 * the result is true.
 * @param u the alias of `users`
 */
export const mightRequireSso = (u: string): string =>
  `EXISTS (SELECT FROM workspace_identity_providers sp WHERE sp.only_door AND sp.domain = split_part(${u}.email, '@', 2))`

/** The workspace that requires SSO from a user, and the domain of its SSO connection. */
export type RequiredSso = { workspaceId: string; workspaceName: string; domain: string }

/**
 * Returns the workspace through whose provider a user must sign in, or undefined if there is none. If there
 * are several, returns the one whose domain was verified first.
 */
export async function requiredSsoOf(tx: Db, userId: string): Promise<RequiredSso | undefined> {
  const [required] = await tx.$queryRaw<RequiredSso[]>`
    SELECT ip.workspace_id AS "workspaceId", w.name AS "workspaceName", ip.domain
      FROM users u
      JOIN workspace_identity_providers ip ON ${Prisma.raw(mustSignInWithSso('ip', 'u'))}
      JOIN workspaces w ON w.id = ip.workspace_id
     WHERE u.id = ${userId}::uuid
     ORDER BY ip.verified_at NULLS LAST
     LIMIT 1`
  return required
}

const findWithheld = statement<{ by: string }, [userId: string]>(
  'sso-withheld',
  `SELECT w.name AS by
     FROM users u
     JOIN workspace_identity_providers ip ON ${mustSignInWithSso('ip', 'u')}
     JOIN workspaces w ON w.id = ip.workspace_id
    WHERE u.id = $1::uuid
      AND NOT EXISTS (SELECT FROM identities i WHERE i.provider = '${providerName('')}' || ip.workspace_id
                         AND i.user_id = u.id AND i.confirmed_until > now())
    LIMIT 1`,
  { connections: 'shared' },
)

/**
 * Returns the name of a workspace that requires SSO from the user, if the workspace's provider has not
 * recently confirmed the user through a sign-in or an assertion. Returns undefined if there is no such
 * workspace. Until the provider confirms the user, the user's API tokens and authorizations do not work.
 */
export async function workspaceRequiringSso(userId: string): Promise<string | undefined> {
  const [row] = await findWithheld(userId)
  return row?.by
}

/** Requires that `workspaceRequiringSso` returns no workspace. @throws AppError UNAUTHENTICATED */
export async function requireConfirmed(userId: string): Promise<void> {
  const workspace = await workspaceRequiringSso(userId)
  if (workspace === undefined) return
  throw new AppError(
    'UNAUTHENTICATED',
    `${workspace} requires single sign-on. Sign in with SSO in a browser, then use this token again.`,
  )
}
