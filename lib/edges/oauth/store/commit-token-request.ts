import { hash } from 'node:crypto'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { seal, unseal } from '@/lib/base/credentials/seal'
import { statement } from '@/lib/base/db/statements'
import { keepResults } from '@/lib/base/process/remember'
import { gather } from '@/lib/base/process/tally'
import { tokensIssued } from '@/lib/base/telemetry/metrics'
import { isMeasured } from '@/lib/base/telemetry/telemetry'
import { revokeForReuse } from '@/lib/features/apps/authorizations/revoke-authorization'
import { forgetUsedTables, usedTable } from '@/lib/features/apps/authorizations/used-tables'
import { countUse } from '@/lib/features/figures/count-usage'
import { describeRequest } from '../protocol/routes'
import { type ArtifactWrite, deleteFamily } from './artifacts'
import { type RequestUnit, unitOf } from './request-unit'
import { areSharded, isRefusedForShards, learnShards } from './shards'

/**
 * Runs after the engine has made its answer and before it leaves: commits the token request's writes in one statement,
 * or turns the answer into `invalid_grant` when another request was first.
 * See ADR 0006.
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
    if (ctx.oidc.client) countUse(ctx.oidc.client.clientId, 'tokens')
    return
  }
  const first = token === undefined ? null : await winnersAnswer(unit)
  if (first && token) return repeat(ctx, token, binding, first)
  refuse(ctx)
}

function repeat(ctx: KoaContextWithOIDC, token: string, binding: Binding, sealed: Buffer): void {
  const answer = openAnswer(token, binding, sealed)
  if (answer) ctx.body = answer
  else refuse(ctx)
}

function refuse(ctx: KoaContextWithOIDC): void {
  const error = new errors.InvalidGrant('credential was used by another request')
  ctx.status = 400
  ctx.body = { error: error.error, error_description: error.error_description }
  ctx.oidc.provider.emit('grant.error', ctx, error)
}

/**
 * A token response kept for the client that never received it. The key is made from the refresh token that was
 * presented, so the stored answer opens only for whoever has that token; what else the request said is bound to it.
 */
type TokenAnswer = Record<string, unknown>

/** What must be the same for the same answer: scope, resource and DPoP key of the request. */
type Binding = { scope?: unknown; resource?: unknown; jkt?: unknown }

/** The token holds 256 random bits, so one hash, kept apart from the stored one by its prefix, is a key. */
const answerKey = (refreshToken: string) =>
  hash('sha256', `latchkey refresh-replay ${refreshToken}`, 'buffer')

const bindingText = ({ scope, resource, jkt }: Binding) =>
  JSON.stringify([scope ?? null, resource ?? null, jkt ?? null])

const sealAnswer = (refreshToken: string, binding: Binding, answer: TokenAnswer): Buffer =>
  seal(JSON.stringify({ binding: bindingText(binding), answer }), answerKey(refreshToken))

/** @returns the first answer, or undefined when this request asked for something else */
function openAnswer(refreshToken: string, binding: Binding, sealed: Uint8Array): TokenAnswer | undefined {
  const kept = JSON.parse(unseal(sealed, answerKey(refreshToken))) as { binding: string; answer: TokenAnswer }
  return kept.binding === bindingText(binding) ? kept.answer : undefined
}

/**
 * Ends what was issued from a credential, when the engine asked for it:
 * - a refresh token presented again after its window of grace was stolen from somebody: the whole authorization goes,
 *   with an audit event (RFC 9700 section 4.14.2);
 * - a code presented again ends the sign-in it had started (RFC 6749 section 4.1.2), not the person's other ones;
 * - a revoked refresh token ends its sign-in too (RFC 7009 section 2.1), a revoked access token only itself.
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

/** How many live refresh tokens an authorization can have: a further sign-in drops the oldest. */
const mostLive = 100

type Values = [
  hash: Buffer,
  consume: boolean,
  replay: Buffer | null,
  family: Buffer | null,
  ...first: (Buffer | string | number | null)[],
]

/**
 * The one statement that makes a token request true: the code or refresh token is consumed where it was not yet, and
 * only then are its successors written; the row count decides a race.
 * $1 the presented credential, $2 whether it is consumed, $3 the sealed answer kept for its repetition, $4 the family,
 * $5..$8 and $9..$12 the new artifacts. A confidential client's refresh token that is not due for rotation is only locked
 * against a revocation.
 *
 * A part that few requests need would still be set up by the executor each time, so there are two of it. The last
 * use of the authorization is written in a batch (`authorizationUse` below).
 * See ADR 0006.
 */
const written = `INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, family, expires_at)
       SELECT $5::bytea, $6::text, authorization_id, $7::jsonb, $4::bytea, now() + $8::float8 * interval '1 second'
         FROM source WHERE $5 IS NOT NULL
       UNION ALL
       SELECT $9::bytea, $10::text, authorization_id, $11::jsonb, $4, now() + $12::float8 * interval '1 second'
         FROM source WHERE $9 IS NOT NULL`

/** Nothing but what can still be used is asked: a condition that every one of them has. */
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

/** The same for a refresh token that goes to the table of used ones. @param table from `usedTable` */
const rotationInto = keepResults(4, (table: string) =>
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

/** Leaves the newest refresh tokens. It reads all tokens of the authorization, so only where there may be too many. */
const dropped = `, dropped AS (
       DELETE FROM ONLY oauth_artifacts WHERE hash IN (
         SELECT a.hash FROM ONLY oauth_artifacts a JOIN source ON a.authorization_id = source.authorization_id
          WHERE a.model = 'RefreshToken' AND a.consumed_at IS NULL ORDER BY a.created_at DESC OFFSET ${mostLive - 1}))`

const commits = { plain: commitStatement('plain', ''), crowded: commitStatement('crowded', dropped) }

/** The same where tokens lie in shards: the node that holds the credential runs it (prisma/migrations has it). */
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

/** What `dropped` does, in two statements: they ask every shard, which the commit must not. */
async function dropOldest(authorizationId: string): Promise<void> {
  const oldest = await findOldest(authorizationId)
  if (oldest.length > 0) await deleteTokens(oldest.map(({ hash }) => hash))
}

/** Whether the request adds a refresh token that no other one makes way for. */
const isSignIn = ({ inserts, snapshot }: RequestUnit): boolean =>
  snapshot?.artifact?.model !== 'RefreshToken' && inserts.some(({ model }) => model === 'RefreshToken')

/**
 * Commits what a token request collected.
 * @param sealedAnswer kept beside a consumed refresh token, so that the answer can be repeated
 * @returns false when the credential was consumed, revoked or expired meanwhile; then nothing was written
 */
async function commitTokenRequest(unit: RequestUnit, sealedAnswer: Buffer | null): Promise<boolean> {
  const { inserts, snapshot } = unit
  const artifact = snapshot?.artifact
  if (!artifact) return inserts.length === 0
  if (inserts.length > 2) throw new Error('a token request makes two artifacts at most')
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
  /** The authorization that may have too many refresh tokens with this one, if it may. */
  crowded: string | null
  /** The credential is a refresh token that is consumed. */
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

/** The sealed answer that the winner of a race for a refresh token left; null for anything else. */
async function winnersAnswer(unit: RequestUnit): Promise<Buffer | null> {
  const artifact = unit.snapshot?.artifact
  if (artifact?.model !== 'RefreshToken') return null
  return (await readReplay(artifact.hash))[0]?.replay ?? null
}

/**
 * What token requests note of the authorization behind them: that it was used, and sign-ins that added a refresh token. It
 * is settled in batches, so that a token request itself writes to nothing but tokens.
 * See ADR 0006.
 */

/** Rows are sorted, so that two replicas that write at once take their locks in the same order. */
const noteUse = statement<never, [ids: string[], usedAt: Date[], signIns: number[]]>(
  'note-authorization-use',
  `UPDATE authorizations z
      SET last_used_at = GREATEST(z.last_used_at, t.used_at),
          sign_ins = LEAST(z.sign_ins + t.sign_ins, ${mostLive})
     FROM (SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int[]) AS t(id, used_at, sign_ins) ORDER BY id) t
    WHERE z.id = t.id`,
)

type Use = { at: Date; signIns: number }

/** When each authorization was last used, and how often for signing in. */
export const authorizationUse = gather<Use>('use of authorizations', {
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

/** Notes that an authorization was used. @param signsIn whether a sign-in added a refresh token */
const noteAuthorizationUse = (id: string, signsIn: boolean): void =>
  authorizationUse.add(id, { at: new Date(), signIns: signsIn ? 1 : 0 })

/** Whether an authorization may have as many live refresh tokens as it can, by what is stored and noted here since. */
const isCrowded = ({ id, signIns }: { id: string; signIns: number }): boolean =>
  signIns + (authorizationUse.pending(id)?.signIns ?? 0) >= mostLive
