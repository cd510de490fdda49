import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError, hosts, integer, line, link, oneOf, picture, registeredScopes, text } from './checks'

/**
 * The settings that instance admins can change in the console unless the environment locks them. In an
 * unattended installation, set them with LATCHKEY_SETTINGS. Their keys are camelCase in the code, in forms,
 * in LATCHKEY_SETTINGS, and in the audit log. The database stores the keys in upper snake case.
 */

/** The appearance, custom text, and links of pages and emails. */
const branding = {
  serviceName: z
    .string()
    .max(60, 'must have at most 60 characters')
    .default('Latchkey')
    .describe('Name of the service on pages and in emails.'),
  accentColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #4f46e5')
    .default('#4f46e5')
    .describe('Color of buttons, links, and charts, such as `#4f46e5`.'),
  logoUrl: picture.optional().describe('Square logo: an https address, or a path such as `/logo.svg`.'),
  logoDarkUrl: picture.optional().describe('Logo for dark mode. If not set, `logoUrl` is used.'),
  oidcName: line
    .max(60, 'must have at most 60 characters')
    .default('Single sign-on')
    .describe('Label of the sign-in button for the provider in `OIDC_ISSUER`.'),
  helpUrl: link
    .optional()
    .describe(
      'Help link at the bottom of the sign-in, consent, and device pages. Also the contact in `/.well-known/security.txt`.',
    ),
  termsUrl: link
    .optional()
    .describe('Link to the terms of service at the bottom of the sign-in, consent, and device pages.'),
  privacyUrl: link
    .optional()
    .describe('Link to the privacy policy at the bottom of the sign-in, consent, and device pages.'),
  mailWelcome: text(600)
    .optional()
    .describe('Paragraph in the first emails that a user receives: email confirmations and invitations.'),
  mailFooter: text(600).optional().describe('Text at the bottom of every email, such as the postal address.'),
}

/** The rules for users, apps, and deleted projects. */
const rules = {
  signUp: oneOf('open', 'domains', 'invitation', 'closed')
    .default('open')
    .describe(
      'Who can create an account: everyone (`open`), users with an email address in `signUpDomains` and invited users (`domains`), invited users (`invitation`), or no one (`closed`).',
    ),
  signUpDomains: hosts
    .default([])
    .describe(
      'Email domains for `"signUp": "domains"`, such as `example.com`, or `*.example.com` for every domain below it.',
    ),
  signUpConfirm: oneOf('later', 'first')
    .default('later')
    .describe(
      'Whether users confirm their email address after their account is created (`later`) or before (`first`). Always `first` for `"signUp": "domains"`.',
    ),
  requireTwoFactor: oneOf('none', 'instance-admins', 'all')
    .default('none')
    .describe(
      'Who must use two-factor authentication: no one (`none`), instance admins before they open `/admin` (`instance-admins`), or all users (`all`).',
    ),
  sessionDays: integer(1, 365)
    .default(14)
    .describe(
      'Days after which a browser session ends. A session that is not used ends after half that time.',
    ),
  refreshTokenDays: integer(1, 3650)
    .default(730)
    .describe(
      'Days after a user’s authorization when the app’s access ends. A refresh token that is not used expires after half that time.',
    ),
  dynamicRegistration: oneOf('on', 'approval', 'off')
    .default('on')
    .describe(
      'Whether apps can register themselves (RFC 7591): yes (`on`), only with an instance admin’s approval (`approval`), or no (`off`).',
    ),
  metadataDocuments: oneOf('on', 'hosts', 'off')
    .default('on')
    .describe(
      'Whether apps can use the URL of a metadata document as their client ID: on any host (`on`), on the hosts in `metadataDocumentHosts` (`hosts`), or not at all (`off`).',
    ),
  metadataDocumentHosts: hosts
    .default([])
    .describe('Hosts for `"metadataDocuments": "hosts"`, such as `claude.ai` or `*.example.com`.'),
  registeredAppScopes: registeredScopes
    .default([])
    .describe(
      'Scopes, including those of registered APIs, that apps registered without a workspace can request. If the list is empty, these apps can request all scopes.',
    ),
  workspaceApps: oneOf('open', 'approved', 'own')
    .default('open')
    .describe(
      'Apps that can access a new workspace until its admins choose: all apps (`open`), apps its admins approved (`approved`), or its own apps (`own`).',
    ),
  restoreDays: integer(0, 90)
    .default(7)
    .describe(
      'Days for which a deleted project can be restored. With `0`, projects are deleted immediately and permanently.',
    ),
}

const groups = { rules, branding }

export const instanceSettings = z.object({ ...rules, ...branding })

export type InstanceKey = keyof typeof instanceSettings.shape

export const instanceKeys = Object.keys(instanceSettings.shape) as InstanceKey[]

/** Returns the keys of one group of settings. */
export const instanceKeysOf = (group: keyof typeof groups) => Object.keys(groups[group]) as InstanceKey[]

export const isInstanceKey = (name: string): name is InstanceKey =>
  Object.hasOwn(instanceSettings.shape, name)

/**
 * Returns a setting's name in the database, such as `SIGN_UP` for `signUp`. Earlier releases read environment
 * variables of that name.
 */
export const upperSnakeCase = (key: string): string => key.replace(/[A-Z]/g, '_$&').toUpperCase()

/**
 * The values of instance settings, by key. The console sends values as text, and the database stores them as
 * text.
 */
export type SettingTexts = Readonly<Record<string, string>>

/** The instance settings in the environment. */
export type GivenSettings = {
  /** Values that apply until an instance admin changes them. */
  defaults: SettingTexts
  /** Values that cannot be changed in the console. */
  locked: SettingTexts
  /** The environment variable that locks each value in `locked`, by key. */
  lockedBy: Readonly<Record<string, string>>
}

/** The environment variables that set and lock a single instance setting, each with the setting's key. */
const variables = { REQUIRE_TWO_FACTOR: 'requireTwoFactor', WORKSPACE_APPS: 'workspaceApps' } as const

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the validated values from LATCHKEY_SETTINGS and from the variables for single settings.
 * @throws ConfigError that names the environment variable or the key at fault, but contains no values
 */
export function readGivenSettings(env: Env): GivenSettings {
  const defaults: Record<string, string> = {}
  const locked: Record<string, string> = {}
  const lockedBy: Record<string, string> = {}
  for (const [key, { text, isLocked }] of Object.entries(readSettingsFile(env.LATCHKEY_SETTINGS ?? ''))) {
    if (isLocked) lockedBy[key] = 'LATCHKEY_SETTINGS'
    Object.assign(isLocked ? locked : defaults, { [key]: text })
  }
  for (const [name, key] of Object.entries(variables)) {
    const value = env[name]?.trim()
    if (!value) continue
    if (key in defaults || key in locked) {
      throw new ConfigError(`${name} is set, and LATCHKEY_SETTINGS also contains ${key}. Remove one of them.`)
    }
    const problem = instanceProblem(key, value)
    if (problem) throw new ConfigError(`${name} ${problem}.`)
    locked[key] = value
    lockedBy[key] = name
  }
  return { defaults, locked, lockedBy }
}

/** Returns an error message to append to the setting's name, or undefined if the value is valid. */
export const instanceProblem = (key: InstanceKey, value: string): string | undefined =>
  instanceSettings.shape[key].safeParse(value).error?.issues[0]?.message

/**
 * Parses and validates LATCHKEY_SETTINGS. @param source JSON, or the path of a JSON file; blank if there are
 * no settings
 */
function readSettingsFile(source: string): Record<string, { text: string; isLocked: boolean }> {
  if (source.trim() === '') return {}
  const entries = Object.entries(
    parseObject(source.trim().startsWith('{') ? source : readFile(source.trim())),
  )
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (!isInstanceKey(key)) throw unknownKey(key)
      const { value: given, locked = false, ...others } = isObject(value) ? value : { value }
      if (given === undefined || typeof locked !== 'boolean' || Object.keys(others).length > 0) {
        throw wrong(key, 'must be a value, or an object with "value" and "locked": true or false')
      }
      const text = textOf(key, given)
      const problem = instanceProblem(key, text)
      if (problem) throw wrong(key, problem)
      return [key, { text, isLocked: locked }]
    }),
  )
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `LATCHKEY_SETTINGS must be JSON, or the path of a JSON file; the file cannot be read (${code}).`,
    )
  }
}

function parseObject(json: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (error) {
    // Use only the position from the parser's message. The message also contains a part of the text, which
    // can be secret.
    const [place = ''] = / \(line \d+ column \d+\)/.exec((error as Error).message) ?? []
    throw new ConfigError(`LATCHKEY_SETTINGS must be valid JSON${place}.`)
  }
  if (isObject(parsed)) return parsed
  throw new ConfigError('LATCHKEY_SETTINGS must be a JSON object, such as {"signUp": "closed"}.')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wrong = (key: string, problem: string) => new ConfigError(`LATCHKEY_SETTINGS: ${key} ${problem}.`)

const unknownKey = (key: string) =>
  new ConfigError(
    `LATCHKEY_SETTINGS: ${JSON.stringify(key.slice(0, 60))} is not a setting; the settings are ${instanceKeys.join(', ')}.`,
  )

/**
 * Converts a JSON value to the text that the schema parses. @throws ConfigError if the value has the wrong
 * type
 */
function textOf(key: InstanceKey, value: unknown): string {
  switch (jsonTypeOf(key)) {
    case 'number':
      if (typeof value === 'number') return String(value)
      throw wrong(key, 'must be a number, without quotation marks')
    case 'list':
      if (Array.isArray(value) && value.every((each) => typeof each === 'string' && !/[\s,]/.test(each))) {
        return value.join(',')
      }
      throw wrong(key, 'must be a list of strings, such as ["example.com"]')
    default:
      if (typeof value === 'string') return value
      throw wrong(key, 'must be a string')
  }
}

/** Returns the JSON type of a setting, based on the type of its default. */
export function jsonTypeOf(key: InstanceKey): 'string' | 'number' | 'list' {
  const fallback = instanceSettings.shape[key].parse(undefined)
  if (Array.isArray(fallback)) return 'list'
  return typeof fallback === 'number' ? 'number' : 'string'
}
