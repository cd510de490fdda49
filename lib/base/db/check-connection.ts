import type pg from 'pg'
import { splitServers } from '@/lib/base/config/database-url'
import { config } from '@/lib/base/config/env'
import { withTimeout } from '@/lib/base/process/background'
import { databaseTarget, PrimaryClient } from './primary'
import { statement } from './statements'

/**
 * The oldest supported PostgreSQL version. `npm run test:postgres` runs the integration tests on this version
 * and newer ones.
 */
const oldest = 15

/**
 * Explanations for instance admins of why a connection failed, most of them with advice on how to fix the
 * problem. The keys are error codes from PostgreSQL, the operating system, or Node.
 */
const explanations: Record<string, (at: Place) => string> = {
  '28P01': ({ user }) => `the password of "${user}" is wrong`,
  '28000': ({ user }) => `"${user}" is not allowed to connect`,
  '3D000': ({ database }) => `there is no database "${database}" on that server; create it first`,
  '53300': () => 'the server has no free connection',
  '25006': () =>
    'it is a standby, which accepts no writes; use the address of the primary, or list all servers, separated by commas',
  '57P03': () => 'the server is still starting; try again in a moment',
  ECONNREFUSED: () => 'nothing is listening at that address; start the database or correct the address',
  ENOTFOUND: ({ host }) => `the name "${host}" is unknown; correct the address`,
  EAI_AGAIN: ({ host }) =>
    `the name "${host}" cannot be resolved at the moment; correct the address or check the network`,
  ENOENT: () => 'the file in sslrootcert, sslcert, or sslkey does not exist; correct the path',
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }) =>
    `its certificate is not for "${host}"; use a host name in the certificate, or sslmode=verify-ca`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => unvouched,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => unvouched,
  SELF_SIGNED_CERT_IN_CHAIN: () => unvouched,
  DEPTH_ZERO_SELF_SIGNED_CERT: () => unvouched,
}

const unvouched =
  'its certificate is not trusted; set DATABASE_CA to the certificate of its authority, or use sslmode=require to encrypt without verification'

/** Explanations for errors that are recognized by their message. */
const wordings: [words: RegExp, why: string][] = [
  [
    /does not support SSL/,
    'it does not support TLS; use sslmode=disable if the network is secure without it',
  ],
  [
    /unsupported startup parameter: statement_timeout/,
    'its pooler rejects statement_timeout; set DATABASE_TIMEOUT=0, or add it to PgBouncer’s ignore_startup_parameters',
  ],
]

type Place = { host: string; user: string; database: string }

/**
 * Throws if the PostgreSQL version is too old. The server reports its version as a number, such as 150004 for
 * 15.4.
 */
async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int AS version")
  const major = Math.floor(rows[0].version / 10_000)
  if (major < oldest) {
    throw new Error(`it is PostgreSQL ${major}, and Latchkey needs ${oldest} or newer; upgrade it`)
  }
}

const placeOf = (databaseUrl: string): Place & { port: string } => {
  const { hostname, port, username, pathname, searchParams } = new URL(splitServers(databaseUrl)[0] as string)
  return {
    host: searchParams.get('host') ?? decodeURIComponent(hostname),
    port: port || '5432',
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/**
 * Connects once to detect a wrong URL or an unsupported server version early.
 * @param setting the name of the setting that contains the URL, for the error message
 * @throws Error with a one-sentence explanation that never contains the password
 */
export async function checkConnection(databaseUrl: string, setting = 'DATABASE_URL'): Promise<void> {
  const place = placeOf(databaseUrl)
  const { DATABASE_TIMEOUT, DATABASE_CA } = config()
  let client: pg.Client | undefined
  try {
    client = new PrimaryClient({
      connectionTimeoutMillis: 10_000,
      ...(DATABASE_TIMEOUT > 0 ? { statement_timeout: DATABASE_TIMEOUT * 1000 } : {}),
      ...databaseTarget(databaseUrl, DATABASE_CA),
    })
    client.on('error', () => {})
    await client.connect()
    await checkVersion(client)
  } catch (cause) {
    const { code = '', message } = cause as Error & { code?: string }
    const wording = wordings.find(([words]) => words.test(message))
    const why = explanations[code]?.(place) ?? wording?.[1] ?? message
    throw new Error(`The database of ${setting} (${place.host}:${place.port}) cannot be used: ${why}.`, {
      cause,
    })
  } finally {
    await client?.end().catch(() => {})
  }
}

/**
 * The time in milliseconds after which the database is treated as unresponsive. It is less than one second,
 * the default timeout of most probes.
 */
export const answerMs = 900

const one = statement<{ one: number }, []>('does-answer', 'SELECT 1 AS one', { connections: 'shared' })

/**
 * Pings the database on connections that slow statements cannot block. On other connections, a slow statement
 * could make the database seem unresponsive.
 * @throws the driver's error, or Error if no response arrives in time
 */
export async function pingDatabase(): Promise<void> {
  await withTimeout(answerMs, one())
}
