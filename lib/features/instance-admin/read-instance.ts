import { changedSettings, givenSettings, readConfig } from '@/lib/base/config/env'
import { variableNames } from '@/lib/base/config/environment'
import {
  type GivenSettings,
  instanceKeys,
  readGivenSettings,
  type SettingTexts,
} from '@/lib/base/config/instance-settings'
import { missingMigrations } from '@/lib/base/db/migrate'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { remember } from '@/lib/base/process/remember'
import { liveSessions } from '@/lib/features/identity/sessions/find-live-session'
import { migrationNames } from '@/lib/generated/migration-names'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

const readDatabase = statement<{ version: string; bytes: string; connections: number }, []>(
  'read-health',
  `SELECT current_setting('server_version') AS version, pg_database_size(current_database())::text AS bytes,
          (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections`,
)

/**
 * Returns the state of the instance: details about its database, and the numbers of users, suspended users,
 * workspaces, projects, apps, apps that are waiting for approval, and active sessions.
 * @throws AppError FORBIDDEN if the actor is not an instance admin
 */
export async function readHealth(actor: Actor) {
  authorizeInstance(actor)
  const started = performance.now()
  const [database] = await readDatabase()
  const milliseconds = performance.now() - started
  const [missing, users, suspended, workspaces, projects, apps, waiting, sessions] = await Promise.all([
    missingMigrations(pool(), [...migrationNames]),
    prisma().user.count(),
    prisma().user.count({ where: { suspendedAt: { not: null } } }),
    prisma().workspace.count(),
    prisma().project.count(),
    prisma().oAuthClient.count(),
    prisma().oAuthClient.count({ where: { awaitingApproval: true, disabledAt: null } }),
    prisma().session.count({ where: liveSessions() }),
  ])
  return {
    database: { ...(database as NonNullable<typeof database>), milliseconds, missing },
    counts: { users, suspended, workspaces, projects, apps, waiting, sessions },
  }
}

export type Setting = {
  /** The name of an environment variable, or the key of an instance setting. */
  name: string
  /** The effective value as text. Secrets are masked, and JSON is replaced with the word "JSON". */
  value: string
  /** The origin of the value: an environment variable, LATCHKEY_SETTINGS, the console, or the default. */
  from: 'environment' | 'LATCHKEY_SETTINGS' | 'console' | 'default'
}

const isSecret = (name: string) => /SECRET|PASSWORD|KEY$/.test(name)

/**
 * Masks the passwords in a text that can contain one or more URLs. Does not parse the text as a URL, because
 * a database URL with several servers is not a valid URL.
 */
function withoutPassword(value: string): string {
  const hidden = value.replace(/(\/\/[^/?#:@\s]*:)[^/?#\s]*@/g, '$1***@')
  // Also mask a query that contains a password, token, or key, because connection strings can pass secrets as
  // query parameters.
  return hidden.includes('://') ? hidden.replace(/\?\S*(?:password|token|key)\S*/gi, '?***') : hidden
}

/**
 * Returns the effective settings with masked secrets. Environment variables come first, in alphabetical
 * order.
 * @param env the environment of the process
 * @param changed the changes made in the console
 * @param given the instance settings from the environment
 */
export function describeSettings(
  env: NodeJS.ProcessEnv,
  changed: SettingTexts = {},
  given: GivenSettings = readGivenSettings(env),
): Setting[] {
  const settings: Record<string, unknown> = readConfig(env, changed, given)
  const { defaults, locked, lockedBy } = given
  const ofVariable = (name: string): Setting => {
    const said = env[name]?.trim() ?? ''
    const text = said || String(settings[name] ?? '')
    return {
      name,
      value: isSecret(name) && text ? '***' : text.startsWith('{') ? 'JSON' : withoutPassword(text),
      from: said ? 'environment' : 'default',
    }
  }
  const ofInstance = (name: string): Setting['from'] => {
    if (name in locked) return lockedBy[name] === 'LATCHKEY_SETTINGS' ? 'LATCHKEY_SETTINGS' : 'environment'
    if (name in changed) return 'console'
    return name in defaults ? 'LATCHKEY_SETTINGS' : 'default'
  }
  return [
    ...[...variableNames].sort().map(ofVariable),
    ...instanceKeys.map((name) => ({ name, value: String(settings[name] ?? ''), from: ofInstance(name) })),
  ]
}

/**
 * Returns the effective settings with masked secrets.
 * @throws AppError FORBIDDEN if the actor is not an instance admin
 */
export function readSettings(actor: Actor): Setting[] {
  authorizeInstance(actor)
  return describeSettings(process.env, changedSettings(), givenSettings())
}

/**
 * The number of milliseconds after which `lacksInstanceAdmin` queries the database again if it found no
 * instance admin, or if the database did not respond. An instance admin that was found is cached
 * indefinitely, because the last instance admin cannot be removed.
 */
const againAfter = 10_000

type Asked = { at: number; found: Promise<boolean> }

const known = () => remember<{ found: boolean; asked?: Asked }>('has-admin', () => ({ found: false }))

/**
 * Returns whether the instance has no instance admin, as with a new database. The result is cached. After an
 * instance admin was found, the database is no longer queried.
 * @returns false if the database does not respond, because no security decision depends on the result
 */
export async function lacksInstanceAdmin(): Promise<boolean> {
  const state = known()
  if (state.found) return false
  if (!state.asked || performance.now() - state.asked.at > againAfter) {
    state.asked = { at: performance.now(), found: findOne() }
  }
  try {
    state.found ||= await state.asked.found
    return !state.found
  } catch {
    return false
  }
}

const findOne = async (): Promise<boolean> =>
  (await prisma().user.findFirst({ where: { instanceAdmin: true }, select: { id: true } })) !== null
