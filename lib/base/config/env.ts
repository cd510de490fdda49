import type { z } from 'zod'
import { ConfigError, functionDefaults, onFunctions } from './checks'
import { missingAuthority, supportsPreparedStatements } from './database-url'
import { environment, variableNames } from './environment'
import {
  type GivenSettings,
  type InstanceKey,
  instanceProblem,
  instanceSettings,
  isInstanceKey,
  readGivenSettings,
  type SettingTexts,
} from './instance-settings'
import { refuseUnknownNames } from './similar-names'

/**
 * The validated settings of one process. Names in capitals are environment variables, and instance settings
 * have camelCase keys. For an instance setting, the order of precedence is: values locked by the environment,
 * changes by an instance admin in the console (ADR 0031), defaults from LATCHKEY_SETTINGS, built-in defaults.
 * docs/configuration.md lists all settings.
 */

/**
 * The key under which `globalThis` holds the instance admins' changes to settings. A module variable would
 * exist twice, because Next bundles a second copy of this module.
 */
const key = Symbol.for('latchkey.changed-settings')
const shared = globalThis as { [key]?: SettingTexts }

const none: SettingTexts = {}

/**
 * Returns the instance admins' changes to settings that this process has loaded. The same object is returned
 * until the changes are loaded again.
 */
export const changedSettings = (): SettingTexts => shared[key] ?? none

/** Replaces the instance admins' changes that later calls to `config()` use. */
export function setChangedSettings(changed: SettingTexts): void {
  shared[key] = changed
}

type Env = Record<string, string | undefined>

/**
 * Returns the variables that are set and not blank. Shells and Compose files produce blank variables, such as
 * `PORT=`.
 */
const blankAsUnset = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))

type Environment = Omit<
  z.output<typeof environment>,
  'BASE_URL' | 'REQUIRE_TWO_FACTOR' | 'WORKSPACE_APPS' | 'LATCHKEY_SETTINGS' | 'ENV_FILE'
>

export type Config = Environment &
  z.output<typeof instanceSettings> & {
    BASE_URL: string
    production: boolean
    /**
     * Whether this process is a serverless function, which is frozen between requests and cannot run
     * background work.
     */
    functions: boolean
    /**
     * Whether named prepared statements can be used. Some poolers in transaction mode do not support them.
     */
    preparesStatements: boolean
  }

/**
 * Checks the value of one setting. For an unknown name, the result is also an error message.
 * @param name the name of a variable, or the key of an instance setting
 * @returns an error message to append to the setting's name, or undefined if the value is valid or blank
 */
export function checkSetting(name: string, value: string): string | undefined {
  if (value.trim() === '') return undefined
  if (isInstanceKey(name)) return instanceProblem(name, value)
  if (!Object.hasOwn(environment.shape, name)) return 'is not a setting'
  const check = environment.shape[name as keyof typeof environment.shape]
  return check.safeParse(value).error?.issues[0]?.message
}

/**
 * Converts a value of an instance setting to the form in which it is stored, so that different spellings of
 * the same value become equal.
 * @param name the setting's key
 * @param value the value as text; a blank or invalid value is replaced with the default, from
 * LATCHKEY_SETTINGS or built in
 */
export function settingText(name: string, value = ''): string {
  const chosen = !checkSetting(name, value) && value.trim()
  const read = instanceSettings.shape[name as InstanceKey].parse(chosen || givenSettings().defaults[name])
  return String(read ?? '')
}

/**
 * Returns the console changes that are valid in this release. Another release might have stored invalid
 * changes.
 */
const accepted = (changed: SettingTexts): SettingTexts =>
  Object.fromEntries(
    Object.entries(changed).filter(([name, value]) => isInstanceKey(name) && !checkSetting(name, value)),
  )

/**
 * Returns the typed settings, including defaults. BASE_URL is an origin without a trailing slash.
 * @param env variables by name, normally `process.env`
 * @param changed the changes by instance admins in the console; changes that are not valid in this release
 * are ignored
 * @param fromEnvironment the instance settings that `env` contains
 * @throws ConfigError that names the first variable that is missing, invalid, misspelled, or no longer
 * supported, and explains how to fix it; the message never contains a value
 */
export function readConfig(
  env: Env,
  changed: SettingTexts = {},
  fromEnvironment: GivenSettings = readGivenSettings(env),
): Config {
  refuseUnknownNames(env, variableNames)
  const parsed = environment.safeParse({ ...functionDefaults(env), ...blankAsUnset(env) })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0] ?? 'settings')
    const missing = env[name] === undefined || env[name]?.trim() === ''
    throw new ConfigError(
      missing ? `${name} is not set; it ${fallback(name)}.` : `${name} ${issue?.message}.`,
    )
  }
  const { REQUIRE_TWO_FACTOR, WORKSPACE_APPS, LATCHKEY_SETTINGS, ENV_FILE, ...variables } = parsed.data
  refuseIncompleteAdmin(variables)
  if (variables.METRICS_PORT?.port === variables.PORT)
    throw new ConfigError(
      `METRICS_PORT and PORT are both ${variables.PORT}. Set METRICS_PORT to another port.`,
    )
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
    const address = variables[name]
    const problem = address && missingAuthority(address, variables.DATABASE_CA)
    if (problem) throw new ConfigError(`${name} ${problem}.`)
  }
  const { defaults, locked } = fromEnvironment
  return {
    ...variables,
    ...instanceSettings.parse({ ...defaults, ...accepted(changed), ...locked }),
    BASE_URL: variables.BASE_URL ?? `http://localhost:${variables.PORT}`,
    production: env.NODE_ENV === 'production',
    functions: onFunctions(env),
    preparesStatements: supportsPreparedStatements(variables.DATABASE_URL),
  }
}

/**
 * Rejects incomplete settings for the first instance admin. Otherwise, the server would start without
 * creating the account, and no one would notice until someone needs the account.
 */
function refuseIncompleteAdmin({
  ADMIN_EMAIL: email,
  ADMIN_PASSWORD_FILE: file,
}: Pick<Environment, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD_FILE'>): void {
  if (email === undefined && file !== undefined) {
    throw new ConfigError(
      'ADMIN_PASSWORD_FILE needs ADMIN_EMAIL. Set it to the email address of the first instance admin.',
    )
  }
  if (email !== undefined && file === undefined) {
    throw new ConfigError(
      'ADMIN_EMAIL needs a password. Set ADMIN_PASSWORD_FILE to the path of a file that contains it.',
    )
  }
}

const fallback = (name: string) =>
  name === 'SECRET_KEY'
    ? 'must be set to at least 32 random characters if DATABASE_URL is set (`openssl rand -hex 32` generates them)'
    : 'must be set'

let current: { config: Config; changed: SettingTexts } | undefined
let fromEnvironment: GivenSettings | undefined

/**
 * Returns the instance settings from the environment, which are read only once. @throws ConfigError if one is
 * invalid
 */
export const givenSettings = (): GivenSettings => {
  fromEnvironment ??= readGivenSettings(process.env)
  return fromEnvironment
}

/**
 * Returns the current settings. They are cached until the instance admins' changes are replaced.
 * @throws ConfigError if an environment variable is missing or invalid
 */
export const config = (): Config => {
  const changed = changedSettings()
  if (current?.changed !== changed)
    current = { config: readConfig(process.env, changed, givenSettings()), changed }
  return current.config
}

/**
 * Returns the effective value of an instance setting as text. Unlike `config()`, this function works even if
 * required environment variables are missing.
 * @param name the setting's key
 */
export const textInEffect = (name: InstanceKey): string =>
  settingText(name, givenSettings().locked[name] ?? changedSettings()[name])

/**
 * Returns the name of the environment variable that locks an instance setting.
 * @returns undefined if the setting can be changed in the console
 */
export const lockedBy = (name: string): string | undefined => givenSettings().lockedBy[name]

/** Returns whether a setting was set explicitly, in the environment or in the console. */
export const isSettingChosen = (name: string): boolean =>
  isInstanceKey(name)
    ? [givenSettings().locked, givenSettings().defaults, changedSettings()].some((texts) => name in texts)
    : (process.env[name] ?? '').trim() !== ''

/** Clears the cached settings. Use this function in tests that change the environment. */
export const resetConfig = () => {
  current = undefined
  fromEnvironment = undefined
}
