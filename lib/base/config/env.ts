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
 * The settings of one process, checked. Names in capitals are environment variables. Instance settings have camelCase keys:
 * what the environment locks counts first, then what an instance admin changed in the console (ADR 0031), then the
 * defaults of LATCHKEY_SETTINGS, then those of the product. docs/configuration.md lists both.
 */

/** One per process: Next bundles this module a second time. See lib/base/log. */
const key = Symbol.for('latchkey.changed-settings')
const shared = globalThis as { [key]?: SettingTexts }

const none: SettingTexts = {}

/** Returns what an instance admin changed, as far as this process knows; the same object until that changes. */
export const changedSettings = (): SettingTexts => shared[key] ?? none

/** Sets the instance admin's changes for later calls of `config()`. */
export function setChangedSettings(changed: SettingTexts): void {
  shared[key] = changed
}

type Env = Record<string, string | undefined>

/** Variables that are set but empty (`PORT=`) count as unset, as shells and compose files produce them. */
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
    /** On demand, and frozen between two requests, so that nothing runs in the background. */
    functions: boolean
    /** Whether statements can be prepared under names, which a pooler in transaction mode must support. */
    preparesStatements: boolean
  }

/**
 * Checks one setting.
 * @param name of a variable, or the key of an instance setting
 * @returns the fault in a form that follows the setting's name; undefined if the value is valid or blank
 */
export function checkSetting(name: string, value: string): string | undefined {
  if (value.trim() === '') return undefined
  if (isInstanceKey(name)) return instanceProblem(name, value)
  if (!Object.hasOwn(environment.shape, name)) return 'is not a setting'
  const check = environment.shape[name as keyof typeof environment.shape]
  return check.safeParse(value).error?.issues[0]?.message
}

/**
 * Returns an instance setting as the text that is stored, so that two spellings of one value compare as equal.
 * @param name its key
 * @param value as text; its default if it is blank or wrong
 */
export function settingText(name: string, value = ''): string {
  const chosen = !checkSetting(name, value) && value.trim()
  const read = instanceSettings.shape[name as InstanceKey].parse(chosen || givenSettings().defaults[name])
  return String(read ?? '')
}

/** Returns the changes of the console that this release accepts. Others are ignored. */
const accepted = (changed: SettingTexts): SettingTexts =>
  Object.fromEntries(
    Object.entries(changed).filter(([name, value]) => isInstanceKey(name) && !checkSetting(name, value)),
  )

/**
 * Returns the settings, typed, with defaults filled in; BASE_URL is an origin without a trailing slash.
 * @param env variables by name, normally `process.env`
 * @param changed what an instance admin changed in the console
 * @param fromEnvironment what `env` says about instance settings
 * @throws ConfigError that names the first wrong or misspelled variable and what to set; it never repeats a value
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

/** An unattended instance without a working admin account would be noticed only when someone needs one. */
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
    ? 'must be set to at least 32 random characters when DATABASE_URL is (`openssl rand -hex 32` generates them)'
    : 'must be set'

let current: { config: Config; changed: SettingTexts } | undefined
let fromEnvironment: GivenSettings | undefined

/** Returns what the environment says about instance settings, read once. @throws ConfigError if it is wrong */
export const givenSettings = (): GivenSettings => {
  fromEnvironment ??= readGivenSettings(process.env)
  return fromEnvironment
}

/** Returns the settings as they are now. @throws ConfigError if the environment is wrong */
export const config = (): Config => {
  const changed = changedSettings()
  if (current?.changed !== changed)
    current = { config: readConfig(process.env, changed, givenSettings()), changed }
  return current.config
}

/**
 * Returns the text of an instance setting that is in effect. Unlike `config()`, it needs no environment that is complete.
 * @param name its key
 */
export const textInEffect = (name: InstanceKey): string =>
  settingText(name, givenSettings().locked[name] ?? changedSettings()[name])

/**
 * Returns the variable that fixes an instance setting, so that no one changes it in the console.
 * @returns undefined if it can be changed
 */
export const lockedBy = (name: string): string | undefined => givenSettings().lockedBy[name]

/** Returns whether someone chose the value of a setting, in the environment or in the console. */
export const isSettingChosen = (name: string): boolean =>
  isInstanceKey(name)
    ? [givenSettings().locked, givenSettings().defaults, changedSettings()].some((texts) => name in texts)
    : (process.env[name] ?? '').trim() !== ''

/** Forgets the settings that were read, for tests that change the environment. */
export const resetConfig = () => {
  current = undefined
  fromEnvironment = undefined
}
