import { z } from 'zod'
import { askFirst } from './ask-first'
import { brandSettings } from './brand'
import { type ChangedSettings, changedSettings } from './changed-settings'
import { flag, hosts, isOrigin, whole } from './checks'
import { certificate, databaseUrl, missingAuthority, replicaUrls } from './database-url'
import { functionDefaults, onFunctions } from './functions'
import { nameServers, networks, proxies } from './networks'

/**
 * The settings of one process, checked: from the environment, below it what an operator changed in the console
 * (decision 214), below that defaults. The table of settings in the README lists them, and two that are read elsewhere: MIGRATE
 * and DEMO_PASSWORD.
 */

/** Variables that are set but empty (`PORT=`) count as unset, as shells and compose files produce them. */
const blankAsUnset = (env: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))

const settings = z.object({
  NODE_ENV: z.string().default('development'),
  /** What is written to the log, and how. lib/base/log reads the first two itself, since it writes before settings are right. */
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'], { error: 'must be debug, info, warn or error' })
    .optional(),
  LOG_FORMAT: z.enum(['json', 'pretty'], { error: 'must be json or pretty' }).optional(),
  ACCESS_LOG: flag.optional(),
  LOG_ADDRESSES: z
    .enum(['short', 'whole', 'none'], { error: 'must be short, whole or none' })
    .default('short'),
  PORT: whole(1, 65535).default(3000),
  HOST: z.string().optional(),
  BASE_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be an http or https address, such as https://login.example.com',
    })
    .refine((value) => !URL.canParse(value) || isOrigin(new URL(value)), {
      error: 'must be an origin without a path, such as https://login.example.com',
    })
    .transform((value) => new URL(value).origin)
    .optional(),
  DATABASE_URL: databaseUrl,
  /** Standbys that serve what only reads, each by an address of its own. */
  DATABASE_REPLICA_URL: replicaUrls.default([]),
  /** The database past a pooler, for migrations, which hold a lock of the session. */
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  /** Who vouches for the database's certificate. */
  DATABASE_CA: certificate.optional(),
  /** Whether statements are prepared under names, which a pooler in transaction mode has to know of. */
  DATABASE_PREPARED: flag.default(true),
  DATABASE_POOL: whole(1, 200).default(10),
  /** Seconds that a statement may take; 0 leaves that to the database. Longer silence ends the connection. */
  DATABASE_TIMEOUT: whole(0, 3600).default(10),
  /** Seconds a server goes on after the signal to stop, so that whoever distributes requests can notice. */
  SHUTDOWN_DELAY: whole(0, 300).default(1),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters; `openssl rand -hex 32` makes one'),
  /** Former values of SECRET_KEY, separated by commas: what they sealed is still read. */
  SECRET_KEY_PREVIOUS: z
    .string()
    .transform((value) => value.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every((key) => key.length >= 32), {
      error: 'must be former values of SECRET_KEY, each of at least 32 characters, separated by commas',
    })
    .default([]),
  DATA_DIR: z.string().default('.data'),
  /** Where metrics are read as text: /metrics on a port of its own. */
  METRICS_PORT: whole(1, 65535).optional(),
  METRICS_HOST: z.string().optional(),
  SEED_DEMO: flag.default(false),
  /** Lets a platform's scheduler start background work at /api/cron. */
  CRON_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters; `openssl rand -hex 32` makes one')
    .optional(),
  /** Whose X-Forwarded-For and X-Request-Id are believed: how many proxies are in front, or their addresses or ranges, comma separated. */
  TRUST_PROXY: proxies.optional(),
  ...brandSettings,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
  MAIL_FROM: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default('Single sign-on'),
  /** How that provider signs its id_tokens; RS256 is what OpenID Connect has them do unless told otherwise. */
  OIDC_ID_TOKEN_ALG: z.enum(['RS256', 'PS256', 'ES256', 'EdDSA']).default('RS256'),
  /** Who may make an account: anybody, whoever follows an invitation to a workspace, nobody. */
  SIGN_UP: z
    .enum(['open', 'invitation', 'closed'], { error: 'must be open, invitation or closed' })
    .default('open'),
  /** When a browser session ends after its sign-in, and when it has not been used. */
  SESSION_DAYS: whole(1, 365).default(14),
  SESSION_IDLE_DAYS: whole(1, 365).default(7),
  /** When a refresh token ends: after the person allowed it, and when it has not been used. */
  REFRESH_TOKEN_DAYS: whole(1, 3650).default(730),
  REFRESH_TOKEN_IDLE_DAYS: whole(1, 3650).default(365),
  /** How long a deleted project can be restored; 0 for not at all. */
  RESTORE_DAYS: whole(0, 90).default(7),
  /** How long the audit log is kept; for ever where it is not said. */
  AUDIT_DAYS: whole(1, 36_500).optional(),
  /** Networks that the operator's audit stream may reach although they are not public. */
  AUDIT_STREAM_NETWORKS: networks.default([]),
  /** The name servers that are asked for the records of apps' domains; the system's unless it is said. */
  DNS_SERVERS: nameServers.default([]),
  /** GraphQL requests an hour per token; a person's API tokens together have a few times as many (count-request.ts). */
  RATE_LIMIT_PER_HOUR: whole(1).default(10_000),
  /** The deepest a GraphQL query may nest, the most aliases it may use, and the points it may cost. */
  GRAPHQL_MAX_DEPTH: whole(1).default(12),
  GRAPHQL_MAX_ALIASES: whole(0).default(30),
  GRAPHQL_MAX_COST: whole(1).default(5_000),
  /** The points an answer may come to, and the milliseconds it may take. */
  GRAPHQL_MAX_ANSWER: whole(1).default(50_000),
  GRAPHQL_TIMEOUT_MS: whole(1).default(10_000),
  /** GraphQL requests a minute of an address that sends no token. */
  GRAPHQL_ANONYMOUS_PER_MINUTE: whole(1).default(300),
  /** Subscriptions that a token may have open in one process. */
  GRAPHQL_SUBSCRIPTIONS: whole(0).default(10),
  /** Which OAuth apps a new workspace lets in, until its admins choose: everybody's, those they approved, or its own. */
  WORKSPACE_APPS: z
    .enum(['everybody', 'approved', 'own'], { error: 'must be everybody, approved or own' })
    .default('everybody'),
  /** What apps do in any workspace only after they asked their person; a workspace may add to it (lib/policy/ask-first). */
  ASK_FIRST: askFirst.default([]),
  /** Whether apps may register themselves (RFC 7591), and whether an operator approves each before anybody can authorize it. */
  DYNAMIC_REGISTRATION: z
    .enum(['on', 'approval', 'off'], { error: 'must be on, approval or off' })
    .default('on'),
  /** Whether an address of a document about an app is a client id: of any host, of those of METADATA_DOCUMENT_HOSTS, of none. */
  METADATA_DOCUMENTS: z.enum(['on', 'hosts', 'off'], { error: 'must be on, hosts or off' }).default('on'),
  METADATA_DOCUMENT_HOSTS: hosts.default([]),
  /** Dynamic client registrations per address: this many at once, then per hour. */
  REGISTRATION_BURST: whole(1).default(60),
  REGISTRATION_PER_HOUR: whole(1).default(20),
})

export type Config = Omit<z.output<typeof settings>, 'BASE_URL'> & {
  BASE_URL: string
  production: boolean
  /** On demand, and frozen between two requests: nothing runs beside them. */
  functions: boolean
}

/** Thrown for settings that are missing or malformed; its message is one sentence fit for the operator. */
class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The checks of single settings, by name. */
const checks: Record<string, z.ZodType> = settings.shape

/**
 * Checks one setting.
 * @returns what is wrong with its value, in words that follow its name; undefined where nothing is, also where it is blank
 */
export function checkSetting(name: string, value: string): string | undefined {
  const check = checks[name]
  if (!check) return 'is no setting'
  return value.trim() === '' ? undefined : check.safeParse(value).error?.issues[0]?.message
}

/**
 * One setting as text, the way it is written in the environment, so that two ways to write one value read the same.
 * @param value as text; its default where it is blank, or nothing that the setting takes
 */
export function settingText(name: string, value = ''): string {
  const good = !checkSetting(name, value) && value.trim()
  const read = checks[name]?.parse(good || undefined)
  return typeof read === 'boolean' ? (read ? '1' : '0') : String(read ?? '')
}

/** What was changed in the console, without what a later release takes no more: that counts as never changed. */
const stillGood = (changed: ChangedSettings) =>
  Object.fromEntries(Object.entries(changed).filter(([name, value]) => !checkSetting(name, value)))

/**
 * Checks the environment against the table of settings.
 * @param env variables by name, normally `process.env`
 * @param changed what counts where `env` says nothing
 * @returns the settings, typed, with defaults filled in; BASE_URL is an origin without a trailing slash
 * @throws ConfigError naming the first wrong variable and what it should look like; values are never repeated
 */
export function readConfig(env: Record<string, string | undefined>, changed: ChangedSettings = {}): Config {
  const parsed = settings.safeParse({ ...functionDefaults(env), ...stillGood(changed), ...blankAsUnset(env) })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0] ?? 'settings')
    const missing = env[name] === undefined || env[name]?.trim() === ''
    throw new ConfigError(
      missing ? `${name} is not set; it ${fallback(name)}.` : `${name} ${issue?.message}.`,
    )
  }
  const config = parsed.data
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const) {
    for (const address of [config[name] ?? []].flat()) {
      const problem = missingAuthority(address, config.DATABASE_CA)
      if (problem) throw new ConfigError(`${name} ${problem}.`)
    }
  }
  return {
    ...config,
    BASE_URL: config.BASE_URL ?? `http://localhost:${config.PORT}`,
    production: config.NODE_ENV === 'production',
    functions: onFunctions(env),
  }
}

const fallback = (name: string) =>
  name === 'SECRET_KEY'
    ? 'must be set to at least 32 random characters when DATABASE_URL is (`openssl rand -hex 32` makes one)'
    : 'must be set'

let current: { config: Config; changed: ChangedSettings } | undefined

/** The settings as they are now. @throws ConfigError when the environment is wrong */
export const config = (): Config => {
  const changed = changedSettings()
  if (current?.changed !== changed) current = { config: readConfig(process.env, changed), changed }
  return current.config
}

/** Whether the environment says what a setting is, so that nobody changes it in the console. */
export const isLocked = (name: string, env: Record<string, string | undefined> = process.env): boolean =>
  (env[name] ?? '').trim() !== ''

/** Forgets the settings that were read, for tests that change the environment. */
export const resetConfig = () => {
  current = undefined
}
