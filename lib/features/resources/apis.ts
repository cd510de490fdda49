import { credentialKind, hashCredential } from '@/lib/base/credentials/tokens'
import { isOutage } from '@/lib/base/db/database-errors'
import { statement } from '@/lib/base/db/statements'
import { log } from '@/lib/base/log/log'
import { isFrozenWhenIdle, onShutdown, repeat, runInBackground } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import type { SigningAlg } from '@/lib/features/keys/signing-keys'
import type { ApiScopeSelects, ApiScopeSensitivity, ApiTokenFormat } from '@/lib/generated/prisma/enums'

/** An API scope with the details for the consent page. */
export type ApiScope = {
  name: string
  /** The sentence that users see on the consent page. */
  description: string
  sensitivity: ApiScopeSensitivity
  /** The kind of resource that users select when they grant the scope, or NOTHING. */
  selects: ApiScopeSelects
}

/** An API outside Latchkey. Apps request tokens for it with the `resource` parameter (RFC 8707). */
export type Api = {
  id: string
  /** The value of the `resource` parameter in requests, which is also the audience of the API's tokens. */
  identifier: string
  name: string
  /** The path of the uploaded logo. Null if the API has no logo. */
  logoUrl: string | null
  tokenFormat: ApiTokenFormat
  /** The lifetime of new tokens, in seconds. */
  tokenLifetime: number
  signingAlgorithm: SigningAlg
  /** The URL that receives security event tokens (`events.ts`). Null if the API receives none. */
  eventsUrl: string | null
  scopes: ApiScope[]
}

/** The time after which a process checks for changes to the loaded APIs, in milliseconds. */
const lookAfterMs = 5_000

const readApis = statement<Api & { version: number }, []>(
  'apis',
  `SELECT a.id, a.identifier, a.name, a.logo_url AS "logoUrl", a.token_format AS "tokenFormat",
          a.token_lifetime AS "tokenLifetime", a.signing_algorithm AS "signingAlgorithm", a.events_url AS "eventsUrl", a.version,
          coalesce((SELECT json_agg(json_build_object('name', s.name, 'description', s.description,
                                                      'sensitivity', s.sensitivity, 'selects', s.selects)
                                    ORDER BY s.position)
                      FROM api_scopes s WHERE s.api_id = a.id), '[]') AS scopes
     FROM apis a ORDER BY a.name COLLATE natural_order, a.id`,
)

const readVersions = statement<{ versions: string | null }, []>(
  'api-versions',
  `SELECT string_agg(id || ' ' || version, ' ' ORDER BY name, id) AS versions FROM apis`,
)

type Registry = {
  apis: readonly Api[]
  byIdentifier: ReadonlyMap<string, Api>
  byId: ReadonlyMap<string, Api>
  byScope: ReadonlyMap<string, Api>
  /** A text that changes when an API is added, changed, or deleted. */
  versions: string
}

type State = { registry?: Promise<Registry> | undefined; lookedAt: number }

const state = () => remember<State>('apis', () => ({ lookedAt: 0 }))

async function load(): Promise<Registry> {
  const rows = await readApis()
  const apis = rows.map(({ version: _version, ...api }) => api)
  return {
    apis,
    byIdentifier: new Map(apis.map((api) => [api.identifier, api])),
    byId: new Map(apis.map((api) => [api.id, api])),
    byScope: new Map(apis.flatMap((api) => api.scopes.map(({ name }) => [name, api] as const))),
    versions: rows.map(({ id, version }) => `${id} ${version}`).join(' '),
  }
}

/**
 * Returns the APIs that this process has loaded. Reads the APIs from the database on the first call, on the
 * first call after `dropApis`, and on the first call after a failed attempt. If this process can be frozen
 * between requests, also checks for changes in the background.
 * @throws database errors
 */
function registry(): Promise<Registry> {
  const current = state()
  if (isFrozenWhenIdle()) lookSometimes(current)
  if (current.registry) return current.registry
  const loading = load()
  current.registry = loading
  current.lookedAt = Date.now()
  loading.catch(() => {
    if (current.registry === loading) current.registry = undefined
  })
  return loading
}

/** Returns the registered APIs, sorted by name. */
export const registeredApis = async (): Promise<readonly Api[]> => (await registry()).apis

/** Returns the registered APIs with the details that a form needs to list their scopes. */
export const selectableApis = async () =>
  (await registeredApis()).map(({ id, name, identifier, scopes }) => ({
    id,
    name,
    identifier,
    scopes: scopes.map((scope) => ({ name: scope.name, description: scope.description })),
  }))

/** Returns the names of the scopes of all APIs. */
export const apiScopes = async (): Promise<readonly string[]> => [...(await registry()).byScope.keys()]

/**
 * Returns the API that a `resource` parameter identifies, or undefined if there is no such API.
 * @param identifier the registered identifier, optionally followed by a slash. Some libraries add a slash
 * when they normalize URLs. No registered identifier ends with a slash.
 */
export async function findApi(identifier: string): Promise<Api | undefined> {
  const { byIdentifier } = await registry()
  return byIdentifier.get(identifier) ?? byIdentifier.get(identifier.replace(/\/$/, ''))
}

/** Returns an API by its ID, or undefined if there is no such API. */
export const apiById = async (id: string): Promise<Api | undefined> => (await registry()).byId.get(id)

/** Returns the API that a scope belongs to, or undefined for a Latchkey scope or an unknown scope. */
export const apiOfScope = async (scope: string): Promise<Api | undefined> =>
  (await registry()).byScope.get(scope)

const findCredential = statement<{ id: string; unused: boolean }, [string, Buffer]>(
  'api-credential',
  `SELECT id, last_used_at IS NULL OR last_used_at < now() - interval '1 minute' AS unused
     FROM api_credentials WHERE api_id = $1 AND hash = $2`,
)

const noteUse = statement<never, [string]>(
  'api-credential-use',
  'UPDATE api_credentials SET last_used_at = now() WHERE id = $1',
)

/**
 * Authenticates an API by its client secret, for introspection and token exchange. If the secret was not used
 * in the last minute, also records this use in the background.
 * @param id the API's ID
 * @param secret the client secret to check
 * @returns the API, or undefined if the secret does not belong to this API
 */
export async function authenticateApi(id: string, secret: string): Promise<Api | undefined> {
  // Return early for a secret in another format, which cannot match, and for an ID with a NUL character,
  // which PostgreSQL would reject with an error.
  if (credentialKind(secret) !== 'apiSecret' || id.includes('\0')) return undefined
  const [credential] = await findCredential(id, hashCredential(secret))
  if (!credential) return undefined
  if (credential.unused) runInBackground('use of an API credential', () => noteUse(credential.id))
  const known = await apiById(id)
  if (known) return known
  // The secret is valid, but this process does not have the API yet. Another server has just registered it,
  // so read the APIs again.
  dropApis()
  return apiById(id)
}

/**
 * Discards the cached APIs, so that this process reads them again on the next use. Call this function after
 * the transaction of a change has been committed.
 */
export function dropApis(): void {
  state().registry = undefined
}

/**
 * Discards the APIs that this process has loaded if they changed in the database.
 * @throws database errors
 */
async function look(): Promise<void> {
  const { registry: known } = state()
  if (!known) return
  const before = await known
  const [row] = await readVersions()
  if ((row?.versions ?? '') !== before.versions && state().registry === known) dropApis()
}

const lookQuietly = () =>
  look().catch((error) => {
    if (!isOutage(error)) throw error
    log.warn('the registered APIs could not be read', { error })
  })

/**
 * Checks for changes in the background, at most once every few seconds. In serverless functions, no code runs
 * between requests, so `registry` calls this function during requests.
 */
function lookSometimes(current: State): void {
  if (Date.now() - current.lookedAt < lookAfterMs) return
  current.lookedAt = Date.now()
  runInBackground('reading APIs', lookQuietly)
}

/**
 * Reads the APIs immediately, and then checks every few seconds whether another server has changed them,
 * until the process ends.
 * @returns a promise that resolves after the first attempt, even if the database was unavailable
 * @throws other errors of the first attempt
 */
export async function followApis(): Promise<void> {
  await registry().catch((error) => {
    if (!isOutage(error)) throw error
    log.warn('the registered APIs could not be read', { error })
  })
  const stop = repeat('reading APIs', look, lookAfterMs)
  onShutdown('reading APIs', async () => stop())
}
