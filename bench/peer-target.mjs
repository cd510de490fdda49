// Latchkey as a target of another benchmark kit: `./run --target <this file>` compares it with other servers.
// LATCHKEY_DIR is the path of a built clone of this repository. bench/README.md contains the command.
import { execFileSync } from 'node:child_process'

const dir = process.env.LATCHKEY_DIR ?? '.'
/** The name of an app in `bench/operations/apps.ts`. */
const app = process.env.LATCHKEY_APP ?? 'native'
const base = `http://127.0.0.1:${Number(process.env.PEERS_PORT_BASE ?? 4400) + 19}`
const redirectUri = 'https://client.example.test/callback'
const settings = {
  BASE_URL: base,
  SECRET_KEY: 'bench-secret-key-bench-secret-key-0123456789',
  // Rate limits and access logs are disabled, because no other server has them.
  RATE_LIMIT_PER_HOUR: '1000000000',
  ACCESS_LOG: '0',
}

const target = {
  name: `latchkey-${app}`,
  title: `Latchkey, the product as built; ${app} app`,
  base,
  redirectUri,
  codes: 4000,
  /** The app's client. It is empty until `mint` sets it. */
  client: { id: '', secret: '', auth: 'none' },
  paths: {
    discovery: '/oauth/.well-known/openid-configuration',
    token: '/oauth/token',
    userinfo: '/oauth/me',
    introspection: '/oauth/token/introspection',
    graphql: '/graphql/v2',
  },
  query: '{ me { id email workspaces { id name } } }',
  ops: ['discovery', 'refresh', 'code', 'userinfo', 'introspect', 'graphql'],
  /**
   * Creates a database on the kit's PostgreSQL server, and starts Latchkey on the kit's server processor.
   * @throws Error if Latchkey ends or is not ready within a minute
   */
  async prepare({ db: given, port, pin, spawn, children, sql }) {
    // The given database contains the kit's own tables, so Latchkey uses a separate database.
    const own = new URL(given)
    own.pathname += '_own'
    const db = own.href
    await sql(given, `CREATE DATABASE ${own.pathname.slice(1)}`)
    target.db = db
    const [program, args] = pin(0, process.execPath, ['dist/server.js'])
    const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), DATABASE_URL: db, ...settings }
    const child = spawn(program, args, { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'], env })
    children.push(child)
    const until = Date.now() + 60_000
    while (
      !(await fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null || Date.now() > until)
        throw new Error('Latchkey did not become ready within a minute.')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    // The extension might not be available. An error is ignored, because only counting statements needs the
    // extension.
    await sql(db, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements').catch(() => {})
    return { child, db }
  },
}
export default target

/**
 * Returns new credentials for the app, and sets `target.client`. A web app's refresh tokens are new, so a
 * refresh does not replace them. The kit reports that the tokens are not replaced.
 */
export function mint(kind, count) {
  const args = ['--import', 'tsx', 'bench/mint.ts', kind, String(count), app]
  const env = { ...process.env, DATABASE_URL: target.db, ...settings, BENCH_REDIRECT_URI: redirectUri }
  const { client, items } = JSON.parse(
    execFileSync(process.execPath, args, { cwd: dir, env, maxBuffer: 1 << 28 }).toString(),
  )
  Object.assign(target.client, client, { auth: client.secret ? 'basic' : 'none' })
  return items
}
