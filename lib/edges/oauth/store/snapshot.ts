import { LRUCache } from 'lru-cache'
import { config } from '@/lib/base/config/env'
import { credentialKind, hashCredential } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statements'
import { cacheResults } from '@/lib/base/process/remember'
import { allowedTo, graceHasEnded, isExternalUser } from '@/lib/policy/app-status'
import { mightRequireSso, workspaceRequiringSso } from '@/lib/policy/required-sso'
import { effectiveScopes, isScope, limitScopes } from '@/lib/policy/scopes'
import { hasTwoFactors, owesTwoFactor } from '@/lib/policy/two-factor'
import { foreignResources } from '../protocol/routes'
import type { Timed } from './artifacts'

/** A client as it is stored. The objects are shared between requests and must not be changed. */
export type ClientRow = {
  id: string
  source: 'SETTINGS' | 'DYNAMIC' | 'METADATA_DOCUMENT'
  type: 'WEB' | 'NATIVE'
  name: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  homepageUrl: string | null
  logoUrl: string | null
  requirePushedAuthorization: boolean
  metadata: Record<string, unknown>
  disabled: boolean
  /** Whether the app can be installed into workspaces. */
  installable: boolean
  /** The scopes that the app's admins allow; empty if they allow all scopes. */
  allowedScopes: string[]
  inDevelopment: boolean
  workspaceId: string | null
  createdAt: number
}

/**
 * An SQL expression for a text that changes whenever the client row `c` changes. Every statement that changes
 * a client increments `version`. Statements of the previous release do not increment `version`, but they
 * change `updated_at`. The text also contains `disabled_at` and whether a transfer's grace period has ended,
 * so that these two changes take effect immediately. See ADR 0039.
 */
const clientVersion = `concat(c.version, ' ', c.updated_at, ' ', c.disabled_at, ' ', ${graceHasEnded('c')})`

const readClient = statement<ClientRow & { version: string }, [string]>(
  'oauth-client',
  `SELECT ${clientVersion} AS version, c.id, c.source, c.type, c.name, c.redirect_uris AS "redirectUris",
          c.post_logout_redirect_uris AS "postLogoutRedirectUris", c.homepage_url AS "homepageUrl",
          c.logo_url AS "logoUrl", c.require_pushed_authorization AS "requirePushedAuthorization", c.metadata,
          c.disabled_at IS NOT NULL OR ${graceHasEnded('c')} AS disabled, COALESCE(cardinality(c.install_scopes), 0) > 0 AS installable,
          COALESCE(c.allowed_scopes, '{}') AS "allowedScopes",
          c.in_development AS "inDevelopment", c.workspace_id AS "workspaceId",
          floor(extract(epoch FROM c.created_at))::int AS "createdAt"
     FROM oauth_clients c WHERE c.id = $1`,
  { connections: 'shared' },
)

/**
 * The maximum number of clients that a process caches. A client's metadata takes up at most a few KB, so the
 * cache takes up at most a few MB.
 */
const keptClients = 1_000
const kept = new LRUCache<string, { version: string; row: ClientRow }>({ max: keptClients })

/**
 * Returns the client in the current version of its row. Every request reads the version, so a change takes
 * effect at the next request, which reads the row again. While the client is cached and its row is unchanged,
 * every call returns the same object, so that derived data can be cached with that object
 * (`cacheClientInstances`).
 * @returns null if there is no client, or it was just deleted
 */
function clientOf({
  client: id,
  clientVersion,
}: ClientColumns): ClientRow | null | Promise<ClientRow | null> {
  if (id === null) return null
  const known = kept.get(id)
  return known?.version === clientVersion ? known.row : readClientAgain(id)
}

async function readClientAgain(id: string): Promise<ClientRow | null> {
  const [found] = await readClient(id)
  if (!found) return null
  const { version: current, ...row } = found
  kept.set(id, { version: current, row })
  return row
}

/**
 * The stored data that one OAuth request needs, usually read in one joined statement: the client and its
 * valid secrets, the presented credential, the credential's authorization, and the user. A missing client,
 * credential, authorization, or user is null.
 */
export type Snapshot = {
  client: ClientRow | null
  secrets: { id: string; hash: string }[]
  artifact: ArtifactRow | null
  authorization: AuthorizationRow | null
  /**
   * Whether to record that the authorization was used. True if no use is recorded, or if the last recorded
   * use is more than a minute old. Meaningless if `authorization` is null.
   */
  useDue: boolean
  user: UserRow | null
  /** Whether the client is in development and the user is not a member of the client's workspace. */
  externalUser: boolean
  /**
   * Whether access is withheld because a workspace requires SSO from the user, and the workspace's identity
   * provider has not confirmed the user recently.
   */
  withheld: boolean
}

export type ArtifactRow = Timed & {
  hash: Buffer
  model: string
  authorizationId: string | null
  family: Buffer | null
  payload: Record<string, unknown>
  consumedAt: Date | null
  replay: Buffer | null
}

export type AuthorizationRow = {
  id: string
  userId: string
  clientId: string
  /** The granted scopes, limited to those that the app is currently allowed to request (`limitScopes`). */
  scopes: string[]
  /**
   * The number of sign-ins that issued a refresh token, capped at the maximum number of valid refresh tokens
   * (`mostLive` in commit-token-request.ts).
   */
  signIns: number
}

export type UserRow = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  avatarUrl: string | null
  suspended: boolean
}

export const userColumns = {
  id: 'u.id',
  name: 'u.name',
  email: 'u.email',
  emailVerified: 'u.email_verified_at IS NOT NULL',
  avatarUrl: 'u.avatar_url',
  suspended: 'u.suspended_at IS NOT NULL',
}

type ClientColumns = Pick<Row, 'client' | 'clientVersion' | 'secrets'>

type Row = Omit<UserRow, 'id'> & {
  id: UserRow['id'] | null
  client: string | null
  clientVersion: string
  secrets: { id: string; hash: string }[] | null
  model: string | null
  family: string | null
  payload: Record<string, unknown>
  consumedAt: number | null
  readAt: number
  expiresAt: number
  replay: string | null
  authorizationId: string | null
  owner: string | null
  ownerClient: string
  scopes: string[]
  useDue: boolean
  signIns: number
  /** Whether a workspace might require SSO from the user (lib/policy/required-sso). */
  mightRequireSso: boolean
}

/**
 * The columns about the client that every snapshot reads: its ID, the version of its row, and the IDs and
 * hashes of its valid secrets. The secrets are null if the client is a native app or has no valid secret.
 */
const clientColumns = {
  client: 'c.id',
  clientVersion,
  secrets: `CASE WHEN c.type = 'WEB' THEN
      (SELECT json_agg(json_build_object('id', s.id, 'hash', encode(s.hash, 'hex')))
         FROM oauth_client_secrets s
        WHERE s.client_id = c.id AND (s.expires_at IS NULL OR s.expires_at > now())) END`,
}

const columns = {
  ...clientColumns,
  model: 'a.model',
  family: `encode(a.family, 'hex')`,
  payload: 'a.payload',
  consumedAt: 'floor(extract(epoch FROM a.consumed_at) * 1000)',
  readAt: 'floor(extract(epoch FROM now()) * 1000)',
  expiresAt: 'floor(extract(epoch FROM a.expires_at) * 1000)',
  replay: `encode(a.replay, 'base64')`,
  authorizationId: 'a.authorization_id',
  owner: 'z.user_id',
  ownerClient: 'z.client_id',
  scopes: 'z.scopes',
  useDue: `z.last_used_at IS NULL OR z.last_used_at < now() - interval '1 minute'`,
  signIns: 'z.sign_ins',
  ...userColumns,
  mightRequireSso: mightRequireSso('u'),
}

const snapshotFrom = (name: string, artifacts: string) =>
  statement<Row, [string | null, Buffer]>(
    name,
    `FROM (SELECT $1::text AS client_id, $2::bytea AS hash) q
   LEFT JOIN ${artifacts} a ON a.hash = q.hash
   LEFT JOIN authorizations z ON z.id = a.authorization_id
   LEFT JOIN oauth_clients c ON c.id = COALESCE(q.client_id, z.client_id)
   LEFT JOIN users u ON u.id = z.user_id`,
    { connections: 'shared', json: columns },
  )

const readSnapshot = snapshotFrom('oauth-snapshot', 'ONLY oauth_artifacts')
/**
 * Reads a snapshot like `readSnapshot`, and also searches the tables of used refresh tokens for the
 * credential.
 */
const readWithUsed = snapshotFrom('oauth-snapshot-used', 'oauth_artifacts')

/**
 * Reads only the client, for requests without a credential. The joined statement is unsuitable, because with
 * a null hash, Citus would read all tokens in all shards.
 */
const readClientAlone = statement<ClientColumns, [string | null]>(
  'oauth-snapshot-client',
  'FROM (SELECT $1::text AS client_id) q LEFT JOIN oauth_clients c ON c.id = q.client_id',
  { connections: 'shared', json: clientColumns },
)

/**
 * Returns the snapshot of a request, usually with one statement. Further statements are needed if the
 * client's current version is not cached, if a refresh token is not in the table of valid tokens, if the app
 * is in development, or if a workspace might require SSO from the user.
 * @param clientId the client's ID; null for the client of the credential's authorization
 * @param presented the credential of the request, or the hash under which the credential is stored; null if
 *   the request has no credential
 */
export async function loadSnapshot(
  clientId: string | null,
  presented: string | Buffer | null,
): Promise<Snapshot> {
  // PostgreSQL would reject a NUL. Because no client ID contains a NUL, look up an ID that matches no client
  // instead.
  const named = clientId?.includes('\0') ? '' : clientId
  if (presented === null) {
    const [found] = (await readClientAlone(named)) as [ClientColumns]
    return {
      client: await clientOf(found),
      secrets: found.secrets ?? [],
      artifact: null,
      authorization: null,
      useDue: false,
      user: null,
      externalUser: false,
      withheld: false,
    }
  }
  const hash = typeof presented === 'string' ? hashCredential(presented) : presented
  let [row] = (await readSnapshot(named, hash)) as [Row]
  // A refresh token that was already used can be in the tables of used tokens. Search these tables too,
  // because the client or a thief might present the token again.
  if (row.model === null && typeof presented === 'string' && credentialKind(presented) === 'refreshToken') {
    ;[row] = (await readWithUsed(named, hash)) as [Row]
  }
  const found = clientOf(row)
  const client = found instanceof Promise ? await found : found
  const scopes = row.owner ? limitScopes(row.scopes, allowedTo(row.ownerClient, client?.allowedScopes)) : []
  return {
    client,
    secrets: row.secrets ?? [],
    // Tokens of a revoked authorization are deleted in the background. Until then, treat them as deleted.
    artifact:
      row.model && (row.authorizationId === null || row.owner !== null)
        ? toArtifact(hash, row.model, { ...row, scopes })
        : null,
    authorization:
      row.authorizationId && row.owner
        ? {
            id: row.authorizationId,
            userId: row.owner,
            clientId: row.ownerClient,
            scopes,
            signIns: row.signIns,
          }
        : null,
    useDue: row.useDue,
    user: row.id === null ? null : toUser(row, row.id),
    externalUser:
      client?.inDevelopment === true &&
      row.owner !== null &&
      (await isExternalUser(client.workspaceId, row.owner)),
    withheld: row.id !== null && row.mightRequireSso && (await workspaceRequiringSso(row.id)) !== undefined,
  }
}

/**
 * Returns whether a snapshot's credential must be treated as unknown. This is the case if the user is
 * suspended, the app is disabled, the app is in development and the user is external, access is withheld
 * because of required SSO, or the user's sign-in lacks the 2FA that the instance requires of all users.
 */
export const isCutOff = ({ artifact, user, client, externalUser, withheld }: Snapshot): boolean =>
  (user?.suspended ?? false) ||
  (client?.disabled ?? false) ||
  externalUser ||
  withheld ||
  (artifact !== null && lacksRequiredTwoFactor(artifact))

/**
 * Returns whether a user's credential comes from a sign-in without the 2FA that the instance requires of all
 * users (`owesTwoFactor`). A credential without a user, such as a pending device code, lacks nothing.
 */
function lacksRequiredTwoFactor({ payload: { accountId, amr } }: ArtifactRow): boolean {
  // Check the default first, so that requests run no further code.
  if (config().requireTwoFactor === 'none' || accountId === undefined) return false
  return owesTwoFactor({ twoFactor: hasTwoFactors((amr ?? []) as string[]) }, 'anything')
}

/**
 * Returns a token's effective scopes (`effectiveScopes`), separated by spaces. The input has two lines: the
 * scopes of the token and the scopes of the authorization.
 */
const scopeUnder = cacheResults(1_000, (text: string) => {
  const [token, authorization] = text.split('\n').map((line) => line.split(' ')) as [string[], string[]]
  return effectiveScopes(token, authorization).join(' ')
})

/**
 * Returns the payload of a credential with its effective scopes under the current authorization. Returns the
 * payload unchanged if the credential has no authorization or no scope.
 */
function underAuthorization({ payload, owner, scopes }: Row): Record<string, unknown> {
  if (!owner || typeof payload.scope !== 'string') return payload
  const scope = scopeUnder(`${payload.scope}\n${scopes.join(' ')}`)
  // Keep the scopes of other APIs. The grant for the API limits them later (store/api-access).
  const ofApis = foreignResources(payload).length > 0 ? payload.scope.split(' ').filter(isForeign) : []
  return { ...payload, scope: [scope, ...ofApis].filter(Boolean).join(' ') }
}

const isForeign = (scope: string): boolean => !isScope(scope)

const toArtifact = (hash: Buffer, model: string, row: Row): ArtifactRow => ({
  hash,
  model,
  authorizationId: row.authorizationId,
  family: row.family === null ? null : Buffer.from(row.family, 'hex'),
  payload: underAuthorization(row),
  consumedAt: row.consumedAt === null ? null : new Date(row.consumedAt),
  readAt: row.readAt,
  expiresAt: row.expiresAt,
  replay: row.replay === null ? null : Buffer.from(row.replay, 'base64'),
})

const toUser = ({ name, email, emailVerified, avatarUrl, suspended }: Row, id: string): UserRow => ({
  id,
  name,
  email,
  emailVerified,
  avatarUrl,
  suspended,
})
