import { Provider } from 'oidc-provider'
import { statement } from '@/lib/base/db/statements'
import { openedFor } from '@/lib/base/http/client-address'
import { remember } from '@/lib/base/process/remember'
import type { ManagedGrant } from '@/lib/policy/app-grants'
import type { ArtifactWrite } from './artifacts'
import { type ArtifactRow, loadSnapshot, type Snapshot } from './snapshot'

/**
 * What one OAuth request has read and means to write. It lives exactly as long as the engine's context of the request,
 * which the engine keeps in AsyncLocalStorage. At POST /oauth/token nothing is written while the engine works: the
 * writes are collected here and committed together by commit-token-request, before the answer leaves.
 */
export class RequestUnit {
  snapshot: Snapshot | undefined
  /** Consumed by this request: the code or refresh token it presented. */
  consumed = false
  readonly inserts: ArtifactWrite[] = []
  /** The engine wants what was issued from the presented credential ended: it was used twice, or is being revoked. */
  endIssued = false
  /** The sealed answer of the first use of a refresh token that is presented again within its window of grace. */
  replay: Buffer | undefined
  /** The secret that authenticated the client, for its last-used time. */
  usedSecretId: string | undefined
  /** The workspace and user for which an SSO-managed app gets a token. */
  managed: ManagedGrant | undefined
  /** Set where the credential is a code that is to be redeemed. */
  redemption: Redemption | undefined
  #reading: Promise<Snapshot> | undefined

  constructor(
    readonly route: string,
    readonly presented: string | undefined,
    private readonly arrival: Arrival,
    ahead?: ReadAhead,
  ) {
    if (ahead?.presented !== presented) return
    this.#reading = ahead?.reading.then((snapshot) => this.#keep(snapshot))
    this.#reading?.catch(() => undefined)
  }

  /** Reads the snapshot on first use: one statement, whoever asks first. */
  prime(clientId: string | null): Promise<Snapshot> {
    this.#reading ??= loadSnapshot(clientId, this.presented || null).then((snapshot) => this.#keep(snapshot))
    return this.#reading
  }

  #keep(snapshot: Snapshot): Snapshot {
    this.snapshot = snapshot
    return snapshot
  }

  /** The artifact of the snapshot, if it is the one that a handle names. */
  artifact(handle: string): ArtifactRow | undefined {
    return handle === this.presented ? (this.snapshot?.artifact ?? undefined) : undefined
  }

  /** Notes that the request redeems the code it presented. */
  redeem(code: ArtifactRow): Redemption {
    this.redemption ??= new Redemption(code.hash, this.arrival)
    return this.redemption
  }

  /** Whether writes wait for the end of the request. */
  get collects(): boolean {
    return this.route === 'token'
  }
}

const arrivals = new WeakMap<object, Arrival>()

/**
 * Notes when a request arrived: with its headers, which may be long before its body does. Whether it lost a race or came
 * afterwards is decided by that moment (`Redemption`).
 */
export const noteArrival = (req: { socket?: object | null }): void => {
  arrivals.set(req, { at: performance.now(), sentFrom: openedFor(req) })
}

/** When a request arrived: now, where nobody noted it. */
const arrivalOf = (req: object): Arrival =>
  arrivals.get(req) ?? { at: performance.now(), sentFrom: undefined }

/** What was read of a request before the engine saw it, and by which credential. */
type ReadAhead = { presented: string; reading: Promise<Snapshot> }

const readAheads = new WeakMap<object, ReadAhead>()

/**
 * Reads what the engine will ask for, before it does: where the request goes on to the engine after all, nothing is read
 * twice, and it is the engine that tells of a database that does not answer.
 * @param clientId the client that asks; null to take the one the credential was issued to
 * @param presented the credential that the request is about
 */
export function readAhead(req: object, clientId: string | null, presented: string): Promise<Snapshot> {
  const reading = loadSnapshot(clientId, presented)
  readAheads.set(req, { presented, reading })
  return reading
}

type Context = NonNullable<typeof Provider.ctx>
const units = new WeakMap<object, RequestUnit>()

/** Which parameter carries the credential that a request is about, by the engine's route name. */
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

/** Says how the token that a request brings is read: the engine's own way stands in the folder of overrides, above this one. */
export function readTokensBy(read: typeof tokenOf): void {
  tokenOf = read
}

/** The unit of the OAuth request being answered; undefined outside of one, such as in a page. */
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

/** The unit of a context that has been through the engine, if it needed one. */
export const unitOf = (ctx: object): RequestUnit | undefined => units.get(ctx)

/**
 * Tells the loser of a race for a code from somebody who presents it again. Both come when it is consumed; the first was
 * on its way before anybody could have had an answer, and ends nothing.
 *
 * What counts is when a request arrived, by the database's clock, which the code was consumed by. A burst from a client
 * with many threads takes longer to arrive than the first of it takes to be answered, so a request belongs to the same race
 * when it arrived, or the connection was opened that it is the first on, while another with its code was being answered.
 */

/** A race that goes on for longer is none: nobody can keep a code from being a replay by asking again and again. */
const longestRaceMs = 10_000

/** When a request arrived, and when the connection was opened that it is the first on, by `performance.now()`. */
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

/** One request for the tokens of a code. */
export class Redemption {
  readonly #code: string
  /** Whether another was being answered when this one was sent. */
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

  /** Whether this request lost a race for its code, which is consumed. */
  async lostRace(): Promise<boolean> {
    const [row] = await wasConsumedSince(this.hash, performance.now() - this.arrival.at)
    return row !== undefined && (row.since || (this.#overlaps && row.race))
  }

  /** The answer is about to leave. */
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
