import { credentialKind, hashCredential } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statements'
import { cacheResults } from '@/lib/base/process/remember'
import type { ApiTokenKind } from '@/lib/generated/prisma/enums'
import type { InstallationActor, UserActor } from './actor'
import { findInstallation, findManagedAccess, findManagedToken } from './app-grants'
import { allowedTo, isExternalUser, owningWorkspace } from './app-status'
import { mightRequireSso, requireConfirmed } from './required-sso'
import { effectiveScopes, limitScopes, type Role } from './scopes'
import { hasTwoFactors } from './two-factor'

/** The user behind a credential. */
export type User = { id: string; name: string; email: string; avatarUrl: string | null }

/**
 * The sender of a bearer token: the actor, its user, the credential that rate limits count, and properties of
 * the token.
 */
export type Caller = Asking & {
  /**
   * The table and ID under which rate limits count the caller: an API token; the authorization, SSO-managed
   * access, or installation that an access token belongs to; or the app itself. For SSO-managed access and
   * for an app itself, the ID is not a row's ID but the result of `countedAs`.
   */
  credential: {
    table: 'api_tokens' | 'authorizations' | 'installations' | 'managed_apps' | 'oauth_clients'
    id: string
  }
  /** The SHA-256 hash under which the token is stored. */
  hash: Buffer
  /**
   * The resources that an access token was requested for (RFC 8707). Empty if the token is valid for all
   * resources of this instance.
   */
  audience: string[]
  /**
   * The thumbprint of the key that an access token is bound to (RFC 9449). Each request with the token
   * requires a proof that the sender has the key. Null if the token is not bound to a key.
   */
  boundTo: string | null
}

/** An actor with its user. An app installation has no user. */
type Asking = { actor: UserActor; user: User } | { actor: InstallationActor; user: null }

/** The IP address and the User-Agent header of a request, for the audit log. */
export type Origin = { ip?: string; userAgent?: string }

type UserColumns = {
  userId: string
  userName: string
  email: string
  avatarUrl: string | null
  /** Whether `requireConfirmed` must run. */
  mightRequireSso: boolean
}

const userColumns = {
  userId: 'u.id',
  userName: 'u.name',
  email: 'u.email',
  avatarUrl: 'u.avatar_url',
  mightRequireSso: mightRequireSso('u'),
}

const findAccessToken = statement<
  UserColumns & {
    clientId: string
    appWorkspaceId: string | null
    runBy: string | null
    inDevelopment: boolean
    authorizationId: string
    tokenScope: string | null
    allowed: string[]
    scopes: string[]
    workspaceIds: string[]
    projectIds: string[]
    audience: string | string[] | null
    boundTo: string | null
    methods: string[] | null
  },
  [Buffer]
>(
  'bearer-access-token',
  `FROM ONLY oauth_artifacts t
   JOIN authorizations z ON z.id = t.authorization_id
   JOIN oauth_clients c ON c.id = z.client_id AND c.disabled_at IS NULL
   JOIN users u ON u.id = z.user_id AND u.suspended_at IS NULL
  WHERE t.hash = $1 AND t.model = 'AccessToken' AND t.consumed_at IS NULL AND t.expires_at > now()`,
  {
    connections: 'shared',
    json: {
      ...userColumns,
      clientId: 'z.client_id',
      appWorkspaceId: owningWorkspace('c'),
      runBy: 'c.workspace_id',
      inDevelopment: 'c.in_development',
      authorizationId: 'z.id',
      tokenScope: `t.payload->'scope'`,
      allowed: `COALESCE(c.allowed_scopes, '{}')`,
      // Without COALESCE, these columns would be null if nothing was granted or selected.
      scopes: `COALESCE(z.scopes, '{}')`,
      workspaceIds: `COALESCE(z.workspace_ids, '{}')`,
      projectIds: `COALESCE(z.project_ids, '{}')`,
      audience: `t.payload->'aud'`,
      boundTo: `t.payload->'jkt'`,
      methods: `t.payload->'amr'`,
    },
  },
)

const findApiToken = statement<
  UserColumns & {
    tokenId: string
    kind: ApiTokenKind
    workspaceId: string | null
    projectId: string | null
    environmentId: string | null
    role: Role
    twoFactor: boolean
  },
  [Buffer]
>(
  'bearer-api-token',
  `FROM api_tokens t
   JOIN users u ON u.id = t.user_id AND u.suspended_at IS NULL
  WHERE t.hash = $1 AND (t.expires_at IS NULL OR t.expires_at > now())`,
  {
    connections: 'shared',
    json: {
      ...userColumns,
      tokenId: 't.id',
      kind: 't.kind',
      workspaceId: 't.workspace_id',
      projectId: 't.project_id',
      environmentId: 't.environment_id',
      role: 't.role',
      twoFactor: 't.two_factor',
    },
  },
)

/**
 * Looks up a bearer token: an OAuth access token or an API token. Expired tokens and tokens of a revoked
 * authorization, a disabled app, or a suspended user are not found. A token with which an app in development
 * acts for a user is found only if the user is a member of the app's workspace.
 * @param token the token as sent, without the scheme
 * @returns the caller; undefined if the token is unknown, invalid, or malformed
 * @throws AppError UNAUTHENTICATED if a workspace requires the user to use SSO and its provider has not
 * confirmed the user recently
 */
export function callerFromBearer(token: string, origin: Origin = {}): Promise<Caller | undefined> {
  const hash = hashCredential(token)
  switch (credentialKind(token)) {
    case 'accessToken':
      return callerFromAccessToken(hash, origin)
    case 'installationToken':
      return callerFromInstallationToken(hash, origin)
    case 'managedToken':
      return callerFromManaged(hash, origin)
    case 'accountToken':
    case 'workspaceToken':
    case 'projectToken':
    case 'environmentToken':
      return callerFromApiToken(hash, origin)
    default:
      return Promise.resolve(undefined)
  }
}

/**
 * Returns a token's effective scopes. The parameter has three lines: the token's scopes, its authorization's
 * scopes, and the scopes that the app is allowed to request. The results are cached because only a few
 * combinations are in use.
 */
const scopesOf = cacheResults(1_000, (text: string): ReadonlySet<string> => {
  const [token, given, allowed] = text.split('\n').map((line) => line.split(' ').filter(Boolean))
  return new Set(effectiveScopes(token ?? [], limitScopes(given ?? [], allowed ?? [])))
})

/**
 * Looks up an OAuth access token that belongs to an authorization. If the app is in development, the token is
 * found only if the user is a member of the app's workspace.
 */
async function callerFromAccessToken(hash: Buffer, origin: Origin): Promise<Caller | undefined> {
  const [row] = await findAccessToken(hash)
  if (!row) return undefined
  const { userId, clientId, appWorkspaceId, authorizationId, workspaceIds, projectIds } = row
  if (row.mightRequireSso) await requireConfirmed(userId)
  if (row.inDevelopment && (await isExternalUser(row.runBy, userId))) return undefined
  const allowed = allowedTo(clientId, row.allowed)
  return {
    actor: {
      kind: 'oauth',
      userId,
      clientId,
      appWorkspaceId,
      authorizationId,
      scopes: scopesOf(`${row.tokenScope ?? ''}\n${row.scopes.join(' ')}\n${allowed.join(' ')}`),
      workspaceIds,
      projectIds,
      twoFactor: hasTwoFactors(row.methods ?? []),
      ...origin,
    },
    user: userFrom(row),
    credential: { table: 'authorizations', id: authorizationId },
    hash,
    audience: row.audience ? [row.audience].flat() : [],
    boundTo: row.boundTo,
  }
}

async function callerFromApiToken(hash: Buffer, origin: Origin): Promise<Caller | undefined> {
  const [row] = await findApiToken(hash)
  if (!row) return undefined
  const { userId, tokenId, role, workspaceId, projectId, environmentId, twoFactor } = row
  if (row.mightRequireSso) await requireConfirmed(userId)
  const base = { userId, tokenId, twoFactor, ...origin }
  const actor: UserActor | undefined =
    row.kind === 'ACCOUNT'
      ? { kind: 'account-token', role, ...base }
      : row.kind === 'WORKSPACE' && workspaceId
        ? { kind: 'workspace-token', workspaceId, role, ...base }
        : row.kind === 'PROJECT' && projectId
          ? { kind: 'project-token', projectId, environmentId, role, ...base }
          : undefined
  if (!actor) return undefined
  return {
    actor,
    user: userFrom(row),
    credential: { table: 'api_tokens', id: tokenId },
    hash,
    audience: [],
    boundTo: null,
  }
}

const userFrom = (row: UserColumns): User => ({
  id: row.userId,
  name: row.userName,
  email: row.email,
  avatarUrl: row.avatarUrl,
})

const findInstallationToken = statement<
  {
    clientId: string
    appWorkspaceId: string | null
    installationId: string | null
    tokenScope: string | null
    audience: string | string[] | null
    boundTo: string | null
  },
  [Buffer]
>(
  'bearer-installation-token',
  `FROM ONLY oauth_artifacts t
   JOIN oauth_clients c ON c.id = t.payload->>'clientId' AND c.disabled_at IS NULL
  WHERE t.hash = $1 AND t.model = 'ClientCredentials' AND t.expires_at > now()`,
  {
    connections: 'shared',
    json: {
      clientId: 'c.id',
      appWorkspaceId: owningWorkspace('c'),
      installationId: 't.uid',
      tokenScope: `t.payload->'scope'`,
      audience: `t.payload->'aud'`,
      boundTo: `t.payload->'jkt'`,
    },
  },
)

/**
 * Looks up a client_credentials token. The token is not found if the app is disabled, if the token's
 * installation was removed or suspended, if the installation's workspace no longer allows the app, or if the
 * app is in development in another workspace.
 * @param hash the token's hash
 */
async function callerFromInstallationToken(hash: Buffer, origin: Origin): Promise<Caller | undefined> {
  const [row] = await findInstallationToken(hash)
  if (!row) return undefined
  const { clientId, appWorkspaceId, installationId } = row
  const found = installationId === null ? null : await findInstallation(installationId, clientId)
  if (found === undefined) return undefined
  return {
    actor: {
      kind: 'installation',
      userId: null,
      clientId,
      appWorkspaceId,
      installationId,
      workspaceId: found?.workspaceId ?? null,
      scopes: new Set(found ? effectiveScopes((row.tokenScope ?? '').split(' '), found.scopes) : []),
      workspaceIds: found?.allProjects ? [found.workspaceId] : [],
      projectIds: found?.allProjects === false ? found.projectIds : [],
      twoFactor: true,
      ...origin,
    },
    user: null,
    credential:
      installationId === null
        ? { table: 'oauth_clients', id: countedAs(clientId) }
        : { table: 'installations', id: installationId },
    hash,
    audience: row.audience ? [row.audience].flat() : [],
    boundTo: row.boundTo,
  }
}

/**
 * Looks up a token of an SSO-managed app. The app acts for the user in one workspace, within the limits that
 * an admin chose. One statement reads the token, and another one reads the app's current access.
 * @param hash the token's hash
 */
async function callerFromManaged(hash: Buffer, origin: Origin): Promise<Caller | undefined> {
  const [token] = await findManagedToken(hash)
  if (!token?.managed) return undefined
  const { managed, clientId, tokenScope, audience, boundTo } = token
  const access = await findManagedAccess(managed, clientId)
  if (!access) return undefined
  const { userId, userName: name, email, avatarUrl } = access
  return {
    actor: {
      kind: 'oauth',
      userId,
      clientId,
      appWorkspaceId: access.appWorkspaceId,
      authorizationId: null,
      scopes: new Set(effectiveScopes((tokenScope ?? '').split(' '), access.scopes)),
      workspaceIds: [access.workspaceId],
      projectIds: [],
      twoFactor: hasTwoFactors(managed.methods),
      ...origin,
    },
    user: { id: userId, name, email, avatarUrl },
    credential: { table: 'managed_apps', id: countedAs(`${access.id} ${userId}`) },
    hash,
    audience: audience ? [audience].flat() : [],
    boundTo,
  }
}

/**
 * Returns the UUID under which rate limits count a caller whose own ID is not a UUID.
 * @param name a text that identifies the caller
 */
const countedAs = (name: string): string => {
  const hex = hashCredential(name).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
