import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { changeOwner, serverAccount } from '@/lib/base/db/embedded/server-account'
import { testPort } from './free-port'

/**
 * Starts PgBouncer in front of the tests' PostgreSQL, in transaction mode and configured like
 * docs/operate/database.md, for `npm run test:pgbouncer`. Also sets a statement timeout for the database
 * role.
 * @param dir the folder of the test run
 * @param program the path of PgBouncer
 * @param serverUrl PostgreSQL's own URL
 * @returns the pooler's URL, without a database name, and a function that stops the pooler
 */
export async function startPooler(dir: string, program: string, serverUrl: string) {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  await limitStatements(serverUrl, username)
  const account = serverAccount()
  const folder = path.join(dir, 'pgbouncer')
  fs.mkdirSync(folder, { mode: 0o700 })
  changeOwner(account, folder)
  const port = await testPort()
  const settings = path.join(folder, 'pgbouncer.ini')
  fs.writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort} user=${username} password=${password || 'none'}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
      // Accept any client as the database user above, because these tests check only pooling.
      ...['auth_type = any', 'pool_mode = transaction', 'max_client_conn = 1000', 'default_pool_size = 10'],
      'ignore_startup_parameters = extra_float_digits, statement_timeout',
      // Close idle connections soon. Each test file has its own database, whose connections are not needed
      // after the file ends.
      'server_idle_timeout = 2',
      ...(tracksPreparedStatements(await versionOf(program)) ? ['max_prepared_statements = 200'] : []),
      '',
    ].join('\n'),
    { mode: 0o644 },
  )
  const child = spawn(program, ['-q', settings], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = `postgresql://latchkey:any@127.0.0.1:${port}`
  await answering(`${url}/postgres`)
  return {
    url,
    release: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Returns PgBouncer's version, such as `1.25.2`, or `unknown` if PgBouncer does not print a version. */
export async function versionOf(program: string): Promise<string> {
  const child = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = Buffer.concat(await child.stdout.toArray()).toString()
  return /PgBouncer (\S+)/.exec(printed)?.[1] ?? 'unknown'
}

/**
 * Returns whether PgBouncer tracks prepared statements in transaction mode, which it does since version 1.21.
 */
export function tracksPreparedStatements(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 1 || minor >= 21
}

/**
 * Sets a statement timeout of 10 seconds for the role, because the pooler ignores the timeout that
 * connections request.
 */
async function limitStatements(serverUrl: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`ALTER ROLE ${pg.escapeIdentifier(role)} SET statement_timeout = '10s'`)
  await client.end()
}

async function answering(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
