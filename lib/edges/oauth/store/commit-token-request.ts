import { hash } from 'node:crypto'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { seal, unseal } from '@/lib/base/credentials/seal'
import { statement } from '@/lib/base/db/statements'
import { cacheResults } from '@/lib/base/process/remember'
import { collect } from '@/lib/base/process/tally'
import { tokensIssued } from '@/lib/base/telemetry/metrics'
import { isMeasured } from '@/lib/base/telemetry/telemetry'
import { revokeForReuse } from '@/lib/features/apps/authorizations/revoke-authorization'
import { forgetUsedTables, usedTable } from '@/lib/features/apps/authorizations/used-tables'
import { countUse } from '@/lib/features/figures/count-usage'
import { describeRequest, tokenExchangeGrant } from '../protocol/routes'
import { type ArtifactWrite, deleteFamily } from './artifacts'
import { type RequestUnit, unitOf } from './request-unit'
import { areSharded, isRefusedForShards, learnShards } from './shards'

/**
 * Wraps a request to oidc-provider. At POST /oauth/token, commits the writes of the request in one statement,
 * after oidc-provider has built a successful response and before the response is sent. If the credential
 * became invalid in the meantime, replaces the response with an error or, if another request used the refresh
 * token first, with that request's response. A refresh token that is repeated in its grace period also
 * receives the stored first response. If oidc-provider revokes the grant, calls `endIssued` instead. Finally,
 * ends the redemption of a code. See ADR 0005.
 */
export async function finishRequest(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  try {
    await next()
    const unit = unitOf(ctx)
    if (unit?.endIssued) await endIssued(unit)
    else if (unit?.collects && ctx.status === 200) await settle(ctx, unit)
  } finally {
    unitOf(ctx)?.redemption?.end()
  }
}

async function settle(ctx: KoaContextWithOIDC, unit: RequestUnit): Promise<void> {
  const { refresh_token: presented, scope, resource } = ctx.oidc.params ?? {}
  const token = typeof presented === 'string' ? presented : undefined
  const binding: Binding = { scope, resource, jkt: ctx.oidc.entities.AccessToken?.jkt }
  if (unit.replay && token) return repeat(ctx, token, binding, unit.replay)

  const rotated = token !== undefined && unit.consumed
  const sealed = rotated ? sealAnswer(token, binding, ctx.body as TokenAnswer) : null
  if (await commitTokenRequest(unit, sealed)) {
    if (isMeasured()) tokensIssued.add(describeRequest(ctx))
    const { client, params } = ctx.oidc
    if (client && params?.grant_type !== tokenExchangeGrant) countUse(client.clientId, 'tokens')
    return
  }
  const first = token === undefined ? null : await winnersAnswer(unit)
  if (first && token) return repeat(ctx, token, binding, first)
  refuse(ctx, unit.lost?.())
}

function repeat(ctx: KoaContextWithOIDC, token: string, binding: Binding, sealed: Buffer): void {
  const answer = openAnswer(token, binding, sealed)
  if (answer) ctx.body = answer
  else refuse(ctx)
}

const usedByAnother = () => new errors.InvalidGrant('credential was used by another request')

function refuse(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError = usedByAnother()): void {
  ctx.status = 400
  ctx.body = { error: error.error, error_description: error.error_description }
  ctx.oidc.provider.emit('grant.error', ctx, error)
}

/**
 * A token response that is stored in case the client did not receive it. The encryption key is derived from
 * the presented refresh token, so only a client with this token can read the stored response. A request
 * receives the stored response only if its other parameters match (`Binding`).
 */
type TokenAnswer = Record<string, unknown>

/** The properties of a repeated request that must match the first request: scope, resource, and DPoP key. */
type Binding = { scope?: unknown; resource?: unknown; jkt?: unknown }

/**
 * Derives the key with one hash, which is enough because the token has 256 random bits. The prefix makes the
 * key differ from the token's stored hash.
 */
const answerKey = (refreshToken: string) =>
  hash('sha256', `latchkey refresh-replay ${refreshToken}`, 'buffer')

const bindingText = ({ scope, resource, jkt }: Binding) =>
  JSON.stringify([scope ?? null, resource ?? null, jkt ?? null])

const sealAnswer = (refreshToken: string, binding: Binding, answer: TokenAnswer): Buffer =>
  seal(JSON.stringify({ binding: bindingText(binding), answer }), answerKey(refreshToken))

/** Returns the stored first response, decrypted; undefined if this request has other parameters. */
function openAnswer(refreshToken: string, binding: Binding, sealed: Uint8Array): TokenAnswer | undefined {
  const kept = JSON.parse(unseal(sealed, answerKey(refreshToken))) as { binding: string; answer: TokenAnswer }
  return kept.binding === bindingText(binding) ? kept.answer : undefined
}

/**
 * Deletes what was issued from a credential that was used again or is being revoked:
 * - A refresh token that is used after its grace period might have been stolen. The whole authorization is
 *   revoked, and an audit event is recorded (RFC 9700 section 4.14.2).
 * - If a code is used again, the sign-in that the code started is deleted (RFC 6749 section 4.1.2), but not
 *   the user's other sign-ins.
 * - If a refresh token is revoked, its sign-in is deleted (RFC 7009 section 2.1).
 * - If an access token is revoked, nothing else is deleted, because the storage has already deleted the
 *   token.
 */
async function endIssued(unit: RequestUnit): Promise<void> {
  const artifact = unit.snapshot?.artifact
  if (!artifact?.authorizationId) return
  if (unit.route === 'token' && artifact.model === 'RefreshToken') {
    await revokeForReuse(artifact.authorizationId)
  } else if (artifact.family && artifact.model !== 'AccessToken') {
    await deleteFamily(artifact.authorizationId, artifact.family)
  }
}

/**
 * The maximum number of refresh tokens of an authorization, not counting replaced tokens. If a sign-in would
 * exceed the maximum, the oldest tokens are deleted.
 */
const mostLive = 100

type Values = [
  hash: Buffer,
  consume: boolean,
  replay: Buffer | null,
  family: Buffer | null,
  ...first: (Buffer | string | number | null)[],
]

/**
 * The part of a commit that writes the new artifacts. A commit is one statement. It consumes the code or
 * refresh token if the credential is still usable, and only then writes the new artifacts. If two requests
 * race, the statement returns a row only to the winner. The parameters are the presented credential ($1),
 * whether it is consumed ($2), the encrypted response to repeat ($3), the family ($4), and the new artifacts
 * ($5..$8 and $9..$12). A credential that is not consumed, such as a confidential client's refresh token that
 * is not due for rotation, is only locked, so that it cannot be revoked at the same time. The last use of the
 * authorization is written in a batch (`authorizationUse` below).
 */
const written = `INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, family, expires_at)
       SELECT $5::bytea, $6::text, authorization_id, $7::jsonb, $4::bytea, now() + $8::float8 * interval '1 second'
         FROM source WHERE $5 IS NOT NULL
       UNION ALL
       SELECT $9::bytea, $10::text, authorization_id, $11::jsonb, $4, now() + $12::float8 * interval '1 second'
         FROM source WHERE $9 IS NOT NULL`

/** The conditions under which the presented credential can be used. */
const usable = 'hash = $1 AND consumed_at IS NULL AND expires_at > now()'

const commitStatement = (variant: string, further: string) =>
  statement<{ done: number }, Values>(
    `oauth-token-commit-${variant}`,
    `WITH source AS (
       UPDATE ONLY oauth_artifacts SET consumed_at = CASE WHEN $2 THEN clock_timestamp() END, replay = $3
        WHERE ${usable} RETURNING authorization_id
     ), written AS (${written})${further}
     SELECT 1 AS done FROM source`,
    { connections: 'token' },
  )

const moved = 'hash, model, authorization_id, family, payload, created_at, expires_at'

/**
 * Returns the statement that commits a rotation and moves the refresh token to a table of used tokens.
 * @param table from `usedTable`
 */
const rotationInto = cacheResults(4, (table: string) =>
  statement<{ done: number }, Values>(
    `oauth-token-commit-${table}`,
    `WITH source AS (
       DELETE FROM ONLY oauth_artifacts WHERE ${usable} RETURNING ${moved}
     ), used AS (
       INSERT INTO ${table} (${moved}, consumed_at, replay)
       SELECT ${moved}, CASE WHEN $2 THEN clock_timestamp() END, $3::bytea FROM source
     ), written AS (${written})
     SELECT 1 AS done FROM source`,
    { connections: 'token' },
  ),
)

/**
 * The part of a commit that deletes the authorization's oldest refresh tokens beyond the maximum. This part
 * reads all tokens of the authorization, so it is included only if there might be too many.
 */
const dropped = `, dropped AS (
       DELETE FROM ONLY oauth_artifacts WHERE hash IN (
         SELECT a.hash FROM ONLY oauth_artifacts a JOIN source ON a.authorization_id = source.authorization_id
          WHERE a.model = 'RefreshToken' AND a.consumed_at IS NULL ORDER BY a.created_at DESC OFFSET ${mostLive - 1}))`

/**
 * The two variants of a commit that does not move a refresh token. PostgreSQL initializes every part of a
 * statement on each run, so only `crowded` contains the part that deletes surplus refresh tokens, which is
 * rarely needed.
 */
const commits = { plain: commitStatement('plain', ''), crowded: commitStatement('crowded', dropped) }

/** Commits on a sharded database: the node with the credential runs a function from prisma/migrations. */
const commitOnShard = statement<{ done: boolean }, Values>(
  'oauth-token-commit-shard',
  `SELECT commit_token_request($1::bytea, $2::boolean, $3::bytea, $4::bytea, $5::bytea, $6::text, $7::jsonb, $8::float8,
          $9::bytea, $10::text, $11::jsonb, $12::float8) AS done`,
  { connections: 'token' },
)

const noSuchTable = '42P01'

const findOldest = statement<{ hash: Buffer }, [string]>(
  'oauth-token-oldest',
  `SELECT hash FROM ONLY oauth_artifacts WHERE authorization_id = $1::uuid AND model = 'RefreshToken' AND consumed_at IS NULL
    ORDER BY created_at DESC OFFSET ${mostLive}`,
  { connections: 'token' },
)

const deleteTokens = statement<never, [Buffer[]]>(
  'oauth-token-delete',
  'DELETE FROM ONLY oauth_artifacts WHERE hash = ANY($1::bytea[])',
  { connections: 'token' },
)

/**
 * Deletes the oldest refresh tokens, like `dropped`, but in two separate statements. The statements query
 * every shard, so they cannot be part of the commit, which must query only one shard.
 */
async function dropOldest(authorizationId: string): Promise<void> {
  const oldest = await findOldest(authorizationId)
  if (oldest.length > 0) await deleteTokens(oldest.map(({ hash }) => hash))
}

/** Returns whether the request adds a refresh token without replacing another. */
const isSignIn = ({ inserts, snapshot }: RequestUnit): boolean =>
  snapshot?.artifact?.model !== 'RefreshToken' && inserts.some(({ model }) => model === 'RefreshToken')

/**
 * Commits the writes of a token request and, if due, records that the authorization was used.
 * @param sealedAnswer the encrypted response, stored with a consumed refresh token so that it can be repeated
 * @returns false, without writing anything, if the credential was consumed, revoked, or expired in the
 *   meantime. For a request without a stored credential, returns whether there is nothing to write.
 */
async function commitTokenRequest(unit: RequestUnit, sealedAnswer: Buffer | null): Promise<boolean> {
  const { inserts, snapshot } = unit
  const artifact = snapshot?.artifact
  if (!artifact) return inserts.length === 0
  if (inserts.length > 2) throw new Error('A token request creates at most two artifacts.')
  const signsIn = isSignIn(unit)
  const { authorization, useDue } = snapshot
  const crowded = signsIn && authorization !== null && isCrowded(authorization)
  const values: Values = [
    artifact.hash,
    unit.consumed,
    sealedAnswer,
    artifact.family,
    ...columnsOf(inserts[0]),
    ...columnsOf(inserts[1]),
  ]
  const isRotation = unit.consumed && artifact.model === 'RefreshToken'
  if (!(await commit(values, { crowded: crowded ? artifact.authorizationId : null, isRotation })))
    return false
  if (authorization && (signsIn || useDue)) noteAuthorizationUse(authorization.id, signsIn)
  return true
}

type How = {
  /** The ID of the authorization that might now have too many refresh tokens; null if there is none. */
  crowded: string | null
  /** Whether the request consumes a refresh token. */
  isRotation: boolean
}

async function commit(values: Values, how: How): Promise<boolean> {
  const { crowded, isRotation } = how
  const table = isRotation ? usedTable() : undefined
  if (!areSharded()) {
    try {
      const run = table ? rotationInto(table) : commits[crowded ? 'crowded' : 'plain']
      return (await run(...values)).length > 0
    } catch (error) {
      if (table && (error as { code?: unknown }).code === noSuchTable) {
        forgetUsedTables()
        return commit(values, how)
      }
      if (!isRefusedForShards(error)) throw error
      await learnShards()
    }
  }
  const [row] = await commitOnShard(...values)
  if (row?.done && crowded) await dropOldest(crowded)
  return row?.done ?? false
}

const columnsOf = (insert: ArtifactWrite | undefined) =>
  insert
    ? [insert.hash, insert.model, JSON.stringify(insert.payload), insert.seconds]
    : [null, null, null, null]

const readReplay = statement<{ replay: Buffer | null; consumedAt: Date | null }, [Buffer]>(
  'oauth-token-replay',
  'SELECT replay, consumed_at AS "consumedAt" FROM oauth_artifacts WHERE hash = $1',
  { connections: 'token' },
)

/**
 * Returns the encrypted response of the request that won a race for a refresh token; null for other
 * credentials, or if no response is stored.
 */
async function winnersAnswer(unit: RequestUnit): Promise<Buffer | null> {
  const artifact = unit.snapshot?.artifact
  if (artifact?.model !== 'RefreshToken') return null
  return (await readReplay(artifact.hash))[0]?.replay ?? null
}

/**
 * A token request itself writes only to token tables. The use of authorizations, and the number of sign-ins
 * that added a refresh token, are recorded in batches.
 */

/**
 * Stores the use of authorizations. The rows are sorted, so that all replicas lock them in the same order and
 * cannot deadlock.
 */
const noteUse = statement<never, [ids: string[], usedAt: Date[], signIns: number[]]>(
  'note-authorization-use',
  `UPDATE authorizations z
      SET last_used_at = GREATEST(z.last_used_at, t.used_at),
          sign_ins = LEAST(z.sign_ins + t.sign_ins, ${mostLive})
     FROM (SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int[]) AS t(id, used_at, sign_ins) ORDER BY id) t
    WHERE z.id = t.id`,
)

type Use = { at: Date; signIns: number }

/** The last use and the number of new sign-ins of each authorization, written in batches. */
export const authorizationUse = collect<Use>('use of authorizations', {
  afterMs: 2_000,
  merge: (earlier, later) => ({ at: later.at, signIns: earlier.signIns + later.signIns }),
  write: async (gathered) => {
    const uses = [...gathered.values()]
    await noteUse(
      [...gathered.keys()],
      uses.map(({ at }) => at),
      uses.map(({ signIns }) => signIns),
    )
  },
})

/** Records that an authorization was used. @param signsIn whether a sign-in added a refresh token */
const noteAuthorizationUse = (id: string, signsIn: boolean): void =>
  authorizationUse.add(id, { at: new Date(), signIns: signsIn ? 1 : 0 })

/**
 * Returns whether an authorization might have reached the refresh token limit, including sign-ins whose count
 * has not been written yet.
 */
const isCrowded = ({ id, signIns }: { id: string; signIns: number }): boolean =>
  signIns + (authorizationUse.pending(id)?.signIns ?? 0) >= mostLive
