import { z } from 'zod'
import {
  brandSettings,
  flag,
  functionDefaults,
  hosts,
  isOrigin,
  issuer,
  line,
  listenAddress,
  mailbox,
  nameServers,
  networks,
  oneOf,
  onFunctions,
  proxies,
  registeredScopes,
  secret,
  sender,
  sensitiveActionList,
  whole,
} from './checks'
import { certificate, databaseUrl, missingAuthority } from './database-url'
import { findMisspelledSetting } from './similar-names'

/** Settings that an operator changed in the console: texts by the names they have in the environment. */
export type ChangedSettings = Readonly<Record<string, string>>

/** One per process, although Next bundles this module once more than server.ts does; as in lib/base/log. */
const key = Symbol.for('latchkey.changed-settings')
const shared = globalThis as { [key]?: ChangedSettings }

const none: ChangedSettings = {}

/** What was changed, as far as this process knows; always the same object until that changes. */
export const changedSettings = (): ChangedSettings => shared[key] ?? none

/** Has `config()` answer with these from now on, below what the environment says. */
export function setChangedSettings(changed: ChangedSettings): void {
  shared[key] = changed
}

/**
 * The settings of one process, checked: from the environment, below it what an operator changed in the console
 * (decision 214), below that defaults. The table of settings in the README lists them.
 */

/** Variables that are set but empty (`PORT=`) count as unset, as shells and compose files produce them. */
const blankAsUnset = (env: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))

const settings = z.object({
  NODE_ENV: line.default('development'),
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
  HOST: listenAddress.optional(),
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
  SECRET_KEY: secret(32, ', and move a value that data is encrypted with to SECRET_KEY_PREVIOUS'),
  /** Former values of SECRET_KEY, separated by commas: what they sealed is still read. */
  SECRET_KEY_PREVIOUS: z
    .string()
    .transform((value) => value.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every((key) => key.length >= 32), {
      error: 'must be former values of SECRET_KEY, each of at least 32 characters, separated by commas',
    })
    .default([]),
  DATA_DIR: line.default('.data'),
  /** Where metrics are read as text: /metrics on a port of its own. */
  METRICS_PORT: whole(1, 65535).optional(),
  METRICS_HOST: listenAddress.optional(),
  /** Whether a start applies missing migrations; 1 unless set. */
  MIGRATE: flag.optional(),
  SEED_DEMO: flag.default(false),
  DEMO_PASSWORD: line.optional(),
  /** The first instance admin of an unattended installation (lib/features/operator/create-first-admin.ts). */
  ADMIN_EMAIL: mailbox.optional(),
  ADMIN_PASSWORD: line.optional(),
  ADMIN_PASSWORD_FILE: line.optional(),
  /** Lets a platform's scheduler start background work at /api/cron. */
  CRON_SECRET: secret(16).optional(),
  /** Whose X-Forwarded-For and X-Request-Id are believed: how many proxies are in front, or their addresses or ranges, comma separated. */
  TRUST_PROXY: proxies.optional(),
  ...brandSettings,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
  MAIL_FROM: sender.optional(),
  GITHUB_CLIENT_ID: line.optional(),
  GITHUB_CLIENT_SECRET: line.optional(),
  GOOGLE_CLIENT_ID: line.optional(),
  GOOGLE_CLIENT_SECRET: line.optional(),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: line.optional(),
  OIDC_CLIENT_SECRET: line.optional(),
  OIDC_NAME: line.default('Single sign-on'),
  /** How that provider signs its id_tokens; RS256 is what OpenID Connect has them do unless told otherwise. */
  OIDC_ID_TOKEN_ALG: oneOf('RS256', 'PS256', 'ES256', 'EdDSA').default('RS256'),
  /** Who may make an account: anybody, people of SIGN_UP_DOMAINS and whoever was invited, the invited alone, nobody. */
  SIGN_UP: oneOf('open', 'domains', 'invitation', 'closed').default('open'),
  SIGN_UP_DOMAINS: hosts.default([]),
  /** Whether an address is confirmed before there is an account of it; for SIGN_UP=domains it always is. */
  SIGN_UP_CONFIRM: oneOf('later', 'first').default('later'),
  /** Of whom a second factor is demanded: nobody, operators before their pages, everybody before anything (lib/policy/two-factor). */
  SECOND_FACTOR: oneOf('nobody', 'operators', 'everybody').default('nobody'),
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
  /** GraphQL requests an hour per token; a person's API tokens together have a few times as many (count-usage.ts). */
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
  /** The actions that require the user's approval in every workspace (lib/policy/approvals). A workspace can add to them. */
  REQUIRE_APPROVAL: sensitiveActionList.default([]),
  /** Whether apps may register themselves (RFC 7591), and whether an operator approves each before anybody can authorize it. */
  DYNAMIC_REGISTRATION: z
    .enum(['on', 'approval', 'off'], { error: 'must be on, approval or off' })
    .default('on'),
  /** Whether an address of a document about an app is a client id: of any host, of those of METADATA_DOCUMENT_HOSTS, of none. */
  METADATA_DOCUMENTS: z.enum(['on', 'hosts', 'off'], { error: 'must be on, hosts or off' }).default('on'),
  METADATA_DOCUMENT_HOSTS: hosts.default([]),
  /** The scopes that apps which introduce themselves may get; all where it is not said. */
  REGISTERED_APP_SCOPES: registeredScopes.default([]),
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

/** The names of all settings, and of the variable that names the file they are read from. */
export const settingNames: readonly string[] = [...Object.keys(checks), 'ENV_FILE']

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
 * Returns the settings, typed, with defaults filled in; BASE_URL is an origin without a trailing slash.
 * @param env variables by name, normally `process.env`
 * @param changed values that count where `env` has none
 * @throws ConfigError that names the first wrong or misspelled variable and what to set; it never repeats a value
 */
export function readConfig(env: Record<string, string | undefined>, changed: ChangedSettings = {}): Config {
  refuseMisspelled(env)
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
  refuseIncompleteAdmin(config)
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
    const address = config[name]
    const problem = address && missingAuthority(address, config.DATABASE_CA)
    if (problem) throw new ConfigError(`${name} ${problem}.`)
  }
  return {
    ...config,
    BASE_URL: config.BASE_URL ?? `http://localhost:${config.PORT}`,
    production: config.NODE_ENV === 'production',
    functions: onFunctions(env),
  }
}

function refuseMisspelled(env: Record<string, string | undefined>): void {
  const mistake = findMisspelledSetting(env, settingNames)
  if (!mistake) return
  const { name, meant, renamed } = mistake
  throw new ConfigError(
    renamed
      ? `${name} is now ${meant}. Rename the variable; README.md lists the values it takes.`
      : `${name} is not a setting; did you mean ${meant}? Rename the variable, or remove it from the environment of this process.`,
  )
}

/** An unattended installation without a working admin account would be noticed only when someone needs one. */
function refuseIncompleteAdmin({
  ADMIN_EMAIL: email,
  ADMIN_PASSWORD: password,
  ADMIN_PASSWORD_FILE: file,
}: z.output<typeof settings>): void {
  if (password !== undefined && file !== undefined) {
    throw new ConfigError('ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set. Remove one of them.')
  }
  if (email === undefined && (password ?? file) !== undefined) {
    throw new ConfigError(
      `${password === undefined ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'} needs ADMIN_EMAIL. Set it to the email address of the first instance admin.`,
    )
  }
  if (email !== undefined && password === undefined && file === undefined) {
    throw new ConfigError(
      'ADMIN_EMAIL needs a password. Set ADMIN_PASSWORD_FILE to the path of a file that contains it.',
    )
  }
}

const fallback = (name: string) =>
  name === 'SECRET_KEY'
    ? 'must be set to at least 32 random characters when DATABASE_URL is (`openssl rand -hex 32` generates them)'
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
