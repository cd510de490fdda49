import { type errors, Provider } from 'oidc-provider'
import { statement } from '@/lib/base/db/statements'
import { connectionOpenedAt } from '@/lib/base/http/client-address'
import { remember } from '@/lib/base/process/remember'
import type { ApiAccess } from '@/lib/features/apps/authorizations/api-grants'
import type { ManagedGrant } from '@/lib/policy/app-grants'
import type { ArtifactWrite } from './artifacts'
import { type ArtifactRow, loadSnapshot, type Snapshot } from './snapshot'

/**
 * The data that one OAuth request has read and will write. It exists as long as oidc-provider's context of
 * the request. At POST /oauth/token, writes are collected here, and commit-token-request commits them
 * together before the response is sent.
 */
export class RequestUnit {
  snapshot: Snapshot | undefined
  /** Whether this request consumes the presented code or refresh token. */
  consumed = false
  readonly inserts: ArtifactWrite[] = []
  /**
   * Whether the presented credential was used again or is being revoked. The function `endIssued`
   * (commit-token-request) then decides which artifacts to delete.
   */
  endIssued = false
  /**
   * The encrypted response to the first use of a refresh token that is presented again in its grace period.
   */
  replay: Buffer | undefined
  /**
   * The SSO-managed access, the user, the issuer, and the sign-in methods of an SSO-managed token; undefined
   * for other tokens.
   */
  managed: ManagedGrant | undefined
  /**
   * Creates the error to return if the credential became invalid before the commit. If undefined, the error
   * is `invalid_grant`.
   */
  lost: (() => errors.OIDCProviderError) | undefined
  /** The access to APIs that the request has read (store/api-access). */
  readonly apiAccess = new Map<string, Promise<ApiAccess | undefined>>()
  /** The redemption of the presented code; undefined for other requests. */
  redemption: Redemption | undefined
  #reading: Promise<Snapshot> | undefined

  constructor(
    readonly route: string,
    public presented: string | Buffer | undefined,
    private readonly arrival: Arrival,
    ahead?: ReadAhead,
  ) {
    if (ahead?.presented !== presented) return
    this.#reading = ahead?.reading.then((snapshot) => this.#keep(snapshot))
    this.#reading?.catch(() => undefined)
  }

  /**
   * Returns the request's snapshot. The first call reads it in one statement, unless `readAhead` has already
   * read it. Later calls return the same snapshot, regardless of the client.
   * @param clientId the client; null for the client of the credential
   */
  prime(clientId: string | null): Promise<Snapshot> {
    this.#reading ??= loadSnapshot(clientId, this.presented || null).then((snapshot) => this.#keep(snapshot))
    return this.#reading
  }

  /**
   * Sets the presented credential of the request, and reads the snapshot of this credential in one statement.
   * Used by grant types that have their own parameter for the credential.
   * @param key the credential, or the hash under which it is stored
   */
  present(key: string | Buffer): Promise<Snapshot> {
    this.presented = key
    this.#reading = loadSnapshot(null, key).then((snapshot) => this.#keep(snapshot))
    return this.#reading
  }

  #keep(snapshot: Snapshot): Snapshot {
    this.snapshot = snapshot
    return snapshot
  }

  /**
   * Returns the artifact of the snapshot if the handle is the presented credential; undefined if not, or if
   * the credential is unknown.
   */
  artifact(handle: string): ArtifactRow | undefined {
    return handle === this.presented ? (this.snapshot?.artifact ?? undefined) : undefined
  }

  /** Returns the redemption of the presented code, which the first call starts. */
  redeem(code: ArtifactRow): Redemption {
    this.redemption ??= new Redemption(code.hash, this.arrival)
    return this.redemption
  }

  /** Whether writes are collected until the end of the request. */
  get collects(): boolean {
    return this.route === 'token'
  }
}

const arrivals = new WeakMap<object, Arrival>()

/**
 * Records when the headers of a request arrived, because the body can arrive much later. For the first
 * request on a connection, also records when the connection was opened. These times decide whether the
 * request lost a race (`Redemption`).
 */
export const noteArrival = (req: { socket?: object | null }): void => {
  arrivals.set(req, { at: performance.now(), sentFrom: connectionOpenedAt(req) })
}

/** Returns the arrival time of a request, or the current time if the arrival was not recorded. */
const arrivalOf = (req: object): Arrival =>
  arrivals.get(req) ?? { at: performance.now(), sentFrom: undefined }

/**
 * The snapshot that was read before oidc-provider received the request, with the credential for which it was
 * read.
 */
type ReadAhead = { presented: string; reading: Promise<Snapshot> }

const readAheads = new WeakMap<object, ReadAhead>()

/**
 * Reads and returns the snapshot of a request before oidc-provider needs it. If oidc-provider then handles
 * the request and finds the same credential, the request's unit reuses this snapshot. If the read fails
 * because the database is down, oidc-provider reports the error.
 * @param clientId the client; null for the client of the credential
 * @param presented the credential of the request
 */
export function readAhead(req: object, clientId: string | null, presented: string): Promise<Snapshot> {
  const reading = loadSnapshot(clientId, presented)
  readAheads.set(req, { presented, reading })
  return reading
}

type Context = NonNullable<typeof Provider.ctx>
const units = new WeakMap<object, RequestUnit>()

/**
 * Returns the credential that a request presents, or undefined if there is none. The endpoint determines
 * which parameter or header contains the credential.
 */
function presentedCredential(ctx: Context): string | undefined {
  const value = parameterOf(ctx)
  return typeof value === 'string' ? value : undefined
}

function parameterOf(ctx: Context): unknown {
  const params = (ctx.oidc.params ?? {}) as Record<string, unknown>
  switch (ctx.oidc.route) {
    case 'token':
      return params.code ?? params.refresh_token ?? params.device_code
    case 'introspection':
    case 'revocation':
      return params.token
    case 'userinfo':
      return tokenOf(ctx)
  }
}

let tokenOf: (ctx: Context) => string | undefined = () => undefined

/**
 * Sets the function that reads the token of a request. The function cannot be imported here, because it is in
 * the `engine` folder, which imports from this folder.
 */
export function setTokenReader(read: typeof tokenOf): void {
  tokenOf = read
}

/**
 * Returns the unit of the current OAuth request, which the first call creates. Returns undefined outside of
 * an OAuth request, for example in a page.
 */
export function currentUnit(): RequestUnit | undefined {
  const ctx = Provider.ctx as Context | undefined
  if (!ctx) return undefined
  let unit = units.get(ctx)
  if (!unit) {
    const ahead = readAheads.get(ctx.req)
    unit = new RequestUnit(ctx.oidc.route, presentedCredential(ctx), arrivalOf(ctx.req), ahead)
    units.set(ctx, unit)
  }
  return unit
}

/** Returns the unit of a request; undefined if it has none. */
export const unitOf = (ctx: object): RequestUnit | undefined => units.get(ctx)

/**
 * The code below distinguishes the loser of a race for an authorization code from a replay. In both cases,
 * the request is handled after the code was consumed. The client sent the losing request of a race before it
 * could receive any response. A race is no sign of theft, so the losing request revokes nothing.
 *
 * The two cases are distinguished by the request's arrival time, converted to the database's clock, which
 * also set the consumption time. A request that arrived before the code was consumed lost a race. A burst of
 * requests from a client with many threads can take longer to arrive than the server takes to answer the
 * first request. Therefore, a request also belongs to the race if it arrived, or its connection was opened
 * for it, while another request with the same code was being answered.
 */

/**
 * The maximum duration of a race between overlapping requests, in milliseconds. Without this limit, a client
 * could prevent the detection of a replay by repeating requests continuously.
 */
const longestRaceMs = 10_000

/**
 * The time when a request arrived and, for the first request on a connection, the time when the connection
 * was opened, both by `performance.now()`.
 */
export type Arrival = { at: number; sentFrom: number | undefined }

type UnderWay = { requests: number; endedAt: number }
const underWay = () => remember('oauth-code-races', () => new Map<string, UnderWay>())

const wasConsumedSince = statement<{ since: boolean; race: boolean }, [Buffer, number]>(
  'oauth-code-race',
  `SELECT consumed_at >= clock_timestamp() - $2 * interval '1 millisecond' AS since,
          consumed_at >= clock_timestamp() - ${longestRaceMs} * interval '1 millisecond' AS race
     FROM ONLY oauth_artifacts WHERE hash = $1`,
  { connections: 'token' },
)

/** One token request with a code. */
export class Redemption {
  readonly #code: string
  /** Whether another request with the same code was being answered when this request was sent. */
  readonly #overlaps: boolean

  constructor(
    readonly hash: Buffer,
    readonly arrival: Arrival,
  ) {
    this.#code = hash.toString('base64')
    const codes = underWay()
    const others = codes.get(this.#code)
    this.#overlaps =
      others !== undefined && (others.requests > 0 || others.endedAt >= (arrival.sentFrom ?? arrival.at))
    codes.set(this.#code, { requests: (others?.requests ?? 0) + 1, endedAt: others?.endedAt ?? 0 })
  }

  /** Returns whether this request lost a race for its code, which was already consumed. */
  async lostRace(): Promise<boolean> {
    const [row] = await wasConsumedSince(this.hash, performance.now() - this.arrival.at)
    return row !== undefined && (row.since || (this.#overlaps && row.race))
  }

  /** Ends the redemption. Call this method before the response is sent. */
  end(): void {
    const codes = underWay()
    const entry = codes.get(this.#code)
    if (!entry) return
    const endedAt = performance.now()
    Object.assign(entry, { requests: entry.requests - 1, endedAt })
    const forget = () => {
      if (entry.requests === 0 && entry.endedAt === endedAt) codes.delete(this.#code)
    }
    setTimeout(forget, longestRaceMs).unref()
  }
}
