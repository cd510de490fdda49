import type pg from 'pg'
import { contradictions } from '@/lib/base/config/contradictions'
import { acceptsAnyCertificate } from '@/lib/base/config/database-url'
import { type Config, config, isSettingChosen } from '@/lib/base/config/env'
import { variableNames } from '@/lib/base/config/environment'
import { removedVariables } from '@/lib/base/config/similar-names'
import { missingMigrations, nameMigrations } from '@/lib/base/db/migrate'
import { endConnections } from '@/lib/base/db/pool'
import { databaseTarget, PrimaryClient } from '@/lib/base/db/primary'
import { onShutdown } from '@/lib/base/process/background'
import { releaseName } from '@/lib/base/process/release'
import { requestedTelemetry } from '@/lib/base/telemetry/telemetry'
import { lacksInstanceAdmin } from '@/lib/features/instance-admin/read-instance'
import { loadSettings } from '@/lib/features/instance-settings/load-settings'
import { checkSecretKey } from '@/lib/features/keys/reseal'
import { readResourcesFile } from '@/lib/features/resources/resources-file'
import { migrationNames } from '@/lib/generated/migration-names'
import { defineCommand, say, withDatabase } from './command'

const marks = { good: 'ok     ', doubtful: 'warning', bad: 'ERROR  ' }

const print = ({ state, what, message }: Finding) => say(`${marks[state]}  ${what.padEnd(14)}  ${message}`)

export const checkCommand = defineCommand({
  name: 'check',
  summary: 'check the settings, the database, and the keys',
  about:
    'Changes nothing and prints no secrets. The exit code is 1 if a problem would prevent the server from starting or working.',
  needs: 'nothing',
  run: async ({ root }) => {
    let sound = true
    print({ state: 'good', what: 'release', message: releaseName() })
    try {
      await withDatabase('database', root, async () => {
        for await (const finding of inspect()) {
          sound &&= finding.state !== 'bad'
          print(finding)
        }
      })
    } catch (error) {
      const { name, message } = error as Error
      print({ state: 'bad', what: name === 'ConfigError' ? 'settings' : 'database', message })
      sound = false
    }
    return sound ? 0 : 1
  },
})

/** The result of one check. `bad` means that the server would not start, or would not work correctly. */
export type Finding = { what: string; state: 'good' | 'doubtful' | 'bad'; message: string }

const good = (what: string, message: string): Finding => ({ what, state: 'good', message })
const doubtful = (what: string, message: string): Finding => ({ what, state: 'doubtful', message })
const bad = (what: string, message: string): Finding => ({ what, state: 'bad', message })

/** The maximum accepted difference between this machine's clock and the database's clock, in seconds. */
const clockTolerance = 5

/**
 * Yields the result of each check. Stops after a failed check if the following checks depend on its success.
 * Requires a reachable database.
 */
export async function* inspect(): AsyncGenerator<Finding> {
  let settings: Config
  try {
    settings = config()
    requestedTelemetry(process.env, settings)
  } catch (error) {
    yield bad('settings', (error as Error).message)
    return
  }
  onShutdown('database connections', endConnections)
  yield good('settings', `${settings.serviceName} at ${settings.BASE_URL}`)
  if (settings.RESOURCES_FILE !== undefined) yield inspectResources(settings.RESOURCES_FILE)
  // Load the settings made in the console, because they can complement settings in the environment. Ignore
  // errors, because the database might not have the table yet.
  await loadSettings().catch(() => undefined)
  settings = config()
  for (const message of [
    ...removedVariables(process.env, variableNames),
    ...unusualSettings(settings),
    ...contradictions(settings, isSettingChosen),
  ]) {
    yield doubtful('settings', message)
  }

  const client = new PrimaryClient(databaseTarget(settings.DATABASE_URL, settings.DATABASE_CA))
  await client.connect()
  try {
    yield* inspectDatabase(client, settings)
  } finally {
    await client.end()
  }
}

async function* inspectDatabase(client: pg.Client, settings: Config): AsyncGenerator<Finding> {
  const since = performance.now()
  const { rows } = await client.query<{ version: string; ahead: number; room: number }>(
    `SELECT current_setting('server_version') AS version,
            extract(epoch FROM clock_timestamp())::float8 - $1::float8 AS ahead,
            current_setting('max_connections')::int AS room`,
    [Date.now() / 1000],
  )
  const { version, ahead, room } = rows[0] as (typeof rows)[number]
  const place = `PostgreSQL ${version} at ${client.host}:${client.port}, ${Math.round(performance.now() - since)} ms away`
  // Do not check the version: `checkConnection` has already rejected unsupported versions.
  yield good('database', place)
  if (room < settings.DATABASE_POOL * 2) {
    yield doubtful(
      'connections',
      `the database allows ${room}, and each server opens up to ${settings.DATABASE_POOL} (DATABASE_POOL)`,
    )
  }
  yield Math.abs(ahead) <= clockTolerance
    ? good('clock', 'matches the database clock')
    : bad(
        'clock',
        `is ${Math.round(Math.abs(ahead))} s ${ahead > 0 ? 'behind' : 'ahead of'} the database clock; synchronize both with NTP`,
      )

  const missing = await missingMigrations(client, [...migrationNames])
  if (missing.length > 0) {
    yield bad(
      'migrations',
      `missing: ${nameMigrations(missing)}; run \`latchkey migrate\` or start the server`,
    )
    return
  }
  yield good('migrations', 'all applied')
  if (!(await ownsTables(client))) {
    yield doubtful(
      'used tokens',
      `${client.user} does not own the tables and cannot create partitions for used refresh tokens, so they stay in the main table`,
    )
  }
  yield await inspectKey(settings)
  yield (await lacksInstanceAdmin())
    ? doubtful(
        'instance admin',
        'there is none yet; create one with `latchkey create-admin --email <address> --password-stdin`',
      )
    : good('instance admin', 'there is one')
}

function inspectResources(path: string): Finding {
  try {
    return good('APIs', `${readResourcesFile(path).length} in RESOURCES_FILE`)
  } catch (error) {
    return bad('APIs', (error as Error).message)
  }
}

/**
 * Returns whether the connection's role can create partitions for used refresh tokens. The role must have the
 * privileges of the owner of `oauth_artifacts` and must be allowed to create tables in the schema
 * `used_tokens`.
 */
async function ownsTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT pg_has_role(relowner, 'USAGE') AND has_schema_privilege('used_tokens', 'CREATE') AS owns
       FROM pg_class WHERE oid = 'oauth_artifacts'::regclass`,
  )
  return rows[0]?.owns === true
}

async function inspectKey({ SECRET_KEY_PREVIOUS: previous }: Config): Promise<Finding> {
  try {
    await checkSecretKey()
  } catch (error) {
    return bad('SECRET_KEY', (error as Error).message)
  }
  return previous.length === 0
    ? good('SECRET_KEY', 'decrypts the stored values')
    : doubtful(
        'SECRET_KEY',
        'decrypts the stored values together with SECRET_KEY_PREVIOUS; run `latchkey reseal --check` to see whether that is still needed',
      )
}

/** Groups of settings that have an effect only if all settings of the group are set. */
const settingsInPairs: (keyof Config)[][] = [
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
]

const isLocal = (origin: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)

/**
 * Finds settings that are valid but rarely intended.
 * @returns one line for each problem, without secret values
 */
export function unusualSettings(settings: Config): string[] {
  const { BASE_URL, TRUST_PROXY, SMTP_URL, MAIL_FROM } = settings
  const found: string[] = []
  if (isLocal(BASE_URL)) found.push(`BASE_URL is ${BASE_URL}, which only this machine can reach`)
  else {
    if (BASE_URL.startsWith('http:'))
      found.push('BASE_URL is plain http: passkeys and Secure cookies need https')
    if (TRUST_PROXY === undefined) {
      found.push('TRUST_PROXY is not set: behind a proxy, all users share the limits of one address')
    }
  }
  if (SMTP_URL === undefined)
    found.push('SMTP_URL is not set: no email is sent, and users can’t reset their passwords')
  else if (MAIL_FROM === undefined)
    found.push('MAIL_FROM is not set: emails come from no-reply at the host of BASE_URL')
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
    const address = settings[name]
    if (address !== undefined && acceptsAnyCertificate(address, settings.DATABASE_CA)) {
      found.push(`${name} encrypts the connection but does not verify the server: use sslmode=verify-full`)
    }
  }
  for (const names of settingsInPairs) {
    const missing = names.filter((name) => settings[name] === undefined)
    if (missing.length > 0 && missing.length < names.length) {
      found.push(`${missing.join(' and ')} is not set, so ${names[0]?.split('_')[0]} sign-in is off`)
    }
  }
  return found
}
