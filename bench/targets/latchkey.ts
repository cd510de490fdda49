import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { startServerProcess } from '../machine/server-process'
import { clients, projectId, workspaceId } from '../mint/population'
import type { AppName } from '../operations/apps'
import type { CredentialKind } from '../operations/operation'
import type { StartTarget } from './target'
import { redirectUri } from './yardsticks'

const ownRoot = path.join(import.meta.dirname, '../..')
const SECRET_KEY = 'bench-secret-key-bench-secret-key-0123456789'

/** The part of the output of `bench/mint.ts` that this file uses. */
type Minted = { items: (string | { code: string; verifier: string })[] }

/**
 * Migrates the database, starts the production server of `npm start`, and fills the database. The server must
 * already be built.
 */
export const startLatchkey: StartTarget = async ({
  port,
  databaseUrl,
  nodeArgs,
  name = 'latchkey',
  publicPort = port,
  env: more = {},
  cpu,
  root = ownRoot,
}) => {
  const base = `http://127.0.0.1:${publicPort}`
  const own = `http://127.0.0.1:${port}`
  await migrate(databaseUrl, readMigrations(path.join(root, 'prisma/migrations')))
  const env = { PORT: String(port), BASE_URL: base, DATABASE_URL: databaseUrl, SECRET_KEY }
  const server = await startServerProcess([...nodeArgs, 'dist/server.js'], {
    cwd: root,
    probe: `${own}/readyz`,
    cpu,
    // Rate limits and access logs are disabled, because no yardstick has them.
    env: { ...env, RATE_LIMIT_PER_HOUR: '1000000000', ACCESS_LOG: '0', ...more },
  })
  const mint = async (kind: CredentialKind, count: number, app: AppName): Promise<Minted['items']> => {
    const args = ['--import', 'tsx', 'bench/mint.ts', kind, String(count), app]
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env, BENCH_REDIRECT_URI: redirectUri },
      maxBuffer: 1 << 28,
    })
    return (JSON.parse(stdout) as Minted).items
  }
  // The first call fills the database, so wait until it has finished. Later calls can run concurrently.
  await mint('refresh', 1, 'native')
  return {
    name,
    base,
    redirectUri,
    server,
    clients,
    once: 6_000,
    cannot: {},
    paths: {
      discovery: '/oauth/.well-known/openid-configuration',
      jwks: '/oauth/jwks',
      token: '/oauth/token',
      userinfo: '/oauth/me',
      introspection: '/oauth/token/introspection',
      graphql: '/graphql/v2',
    },
    mint: async (kind, count, app) =>
      (await mint(kind, count, app)).map((item, i) =>
        typeof item === 'string'
          ? { value: item, variables: { workspaceId: workspaceId(i + 1), projectId: projectId(i + 1) } }
          : { value: item.code, verifier: item.verifier },
      ),
  }
}
