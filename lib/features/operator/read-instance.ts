import { type ChangedSettings, type Config, changedSettings, config, isLocked } from '@/lib/base/config/env'
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
 * How the instance is doing: the database, and how much there is of everything.
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export async function readHealth(actor: Actor) {
  authorizeInstance(actor)
  const started = performance.now()
  const [database] = await readDatabase()
  const milliseconds = performance.now() - started
  const [missing, people, suspended, workspaces, projects, apps, waiting, sessions] = await Promise.all([
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
    counts: { people, suspended, workspaces, projects, apps, waiting, sessions },
  }
}

export type Setting = {
  name: string
  /** What is in effect; secrets are never in here. */
  value: string
  /** Who says so: the environment, an operator in the console, or nobody, so that it is the default. */
  from: 'environment' | 'console' | 'default'
}

const isSecret = (name: string) => /SECRET|PASSWORD|KEY$/.test(name)

/** An address, or several in one, without passwords. A list of servers is no URL, so it is not taken apart as one. */
function withoutPassword(value: string): string {
  const hidden = value.replace(/(\/\/[^/?#:@\s]*:)[^/?#\s]*@/g, '$1***@')
  // Connection strings carry passwords in their parameters, too.
  return hidden.includes('://') ? hidden.replace(/\?\S*(?:password|token|key)\S*/gi, '?***') : hidden
}

const sourceOf = (name: string, env: NodeJS.ProcessEnv, changed: ChangedSettings): Setting['from'] => {
  if (isLocked(name, env)) return 'environment'
  return name in changed ? 'console' : 'default'
}

/**
 * Shows settings as the operator may see them.
 * @param settings as checked
 * @param env the environment they were read from
 * @param changed what an operator changed in the console
 */
export function describeSettings(
  settings: Config,
  env: NodeJS.ProcessEnv,
  changed: ChangedSettings = {},
): Setting[] {
  return Object.entries(settings)
    .filter(([name]) => name === name.toUpperCase())
    .map(([name, value]) => {
      const text = value === undefined ? '' : String(value)
      return {
        name,
        value: isSecret(name) && text ? '***' : withoutPassword(text),
        from: sourceOf(name, env, changed),
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** The settings in effect, secrets masked. @throws AppError FORBIDDEN for anyone but the operator */
export function readSettings(actor: Actor): Setting[] {
  authorizeInstance(actor)
  return describeSettings(config(), process.env, changedSettings())
}

/** How long the answer that there is none counts, in milliseconds. That there is one counts for good: the last one stays. */
const againAfter = 10_000

type Asked = { at: number; found: Promise<boolean> }

const known = () => remember<{ found: boolean; asked?: Asked }>('has-operator', () => ({ found: false }))

/**
 * Whether nobody is an operator of this installation, as on a new database of one's own. Asks the database while that is
 * so, now and then, and never again afterwards.
 * @returns false where the database does not answer: nothing hangs on this
 */
export async function lacksOperator(): Promise<boolean> {
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
