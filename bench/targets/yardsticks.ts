import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { query } from '../machine/database'
import { startServerProcess } from '../machine/server-process'
import { type AppName, appNames, apps, type Client } from '../operations/apps'
import type { Credential, CredentialKind } from '../operations/operation'
import { operationsCalled } from '../operations/operations'
import type { StartTarget, Target } from './target'

const home = path.join(import.meta.dirname, '../yardsticks')

export const redirectUri = 'https://client.example.test/callback'

/** The yardsticks' signing keys by algorithm. The keys have the same length as Latchkey's keys. */
const signingKeys = Object.fromEntries(
  Object.entries({
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  }).map(([name, { privateKey }]) => [name, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()]),
)

/**
 * Installs the yardsticks' packages and generates their Prisma client. Does nothing if package.json and
 * schema.prisma are the same as in the last installation.
 */
export function installYardsticks(): void {
  const wanted = ['package.json', 'schema.prisma'].map((name) => fs.readFileSync(path.join(home, name)))
  const stamp = createHash('sha256').update(Buffer.concat(wanted)).digest('hex')
  const stampFile = path.join(home, 'node_modules/.installed')
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return
  console.error('Installing the yardsticks (first run)')
  const quiet: ExecFileSyncOptions = { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync(
    'npm',
    ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    quiet,
  )
  execFileSync(path.join(home, 'node_modules/.bin/prisma'), ['generate', '--schema', 'schema.prisma'], {
    ...quiet,
    // `prisma generate` does not need a schema engine. PRISMA_SCHEMA_ENGINE_BINARY prevents Prisma from
    // downloading one.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
  })
  fs.writeFileSync(stampFile, stamp)
}

type Yardstick = Pick<Target, 'paths' | 'once'> & {
  program: string
  /** The name in reports if several processes form one yardstick. */
  name?: string
  env?: Record<string, string>
  /** The supported apps. If the list is omitted, all apps are supported. */
  apps?: AppName[]
  cannot?: Target['cannot']
  /** Whether the yardstick creates its own tables and clients. */
  selfMade?: boolean
  /** Whether bearer tokens come from tables.sql instead of the server. */
  tokensFromTable?: boolean
}

const withAlgorithm = (algorithm: string) => appNames.filter((name) => apps[name].algorithm === algorithm)

const engine: Pick<Yardstick, 'program' | 'paths'> = {
  program: 'oidc.mjs',
  paths: {
    discovery: '/.well-known/openid-configuration',
    jwks: '/jwks',
    token: '/token',
    userinfo: '/me',
    introspection: '/token/introspection',
  },
}

const betterAuth: Yardstick = {
  name: 'p3',
  program: 'better-auth.mjs',
  paths: {
    discovery: '/api/auth/.well-known/openid-configuration',
    token: '/api/auth/oauth2/token',
    userinfo: '/api/auth/oauth2/userinfo',
    introspection: '/api/auth/oauth2/introspect',
  },
  once: 300,
  cannot: {
    'refresh-web-kept': 'it rotates the refresh token on every refresh',
    'refresh-web-kept-rs256': 'it rotates the refresh token on every refresh',
    'introspect-native': 'introspection requires a client secret',
    'device-web': 'its device flow is a separate plugin that issues sessions',
    'device-native': 'its device flow is a separate plugin that issues sessions',
  },
  selfMade: true,
}

const graphql: Pick<Yardstick, 'program' | 'paths' | 'once' | 'tokensFromTable' | 'cannot'> = {
  program: 'graphql.mjs',
  paths: { graphql: '/graphql' },
  once: 0,
  tokensFromTable: true,
  cannot: { 'graphql-mutation': 'a bare server writes no audit log and sends no notification' },
}

/**
 * The operations that involve APIs, each with the reason why yardsticks cannot run it. Yardsticks issue
 * tokens only for their own endpoints.
 */
const withoutApis = Object.fromEntries(
  operationsCalled('api').map((name) => [name, 'it does not support APIs with their own scopes and grants']),
)

/** The yardsticks, which docs/performance/method.md describes. */
export const yardsticks: Record<string, Yardstick> = {
  p1: { ...engine, once: 8_000 },
  p2: { ...engine, env: { ADAPTER: 'prisma' }, once: 1_500 },
  p3: { ...betterAuth, env: { ALGORITHM: 'ES256' }, apps: withAlgorithm('ES256') },
  'p3-rs256': {
    ...betterAuth,
    paths: { token: betterAuth.paths.token },
    env: { ALGORITHM: 'RS256' },
    apps: withAlgorithm('RS256'),
  },
  p5y: graphql,
  p5m: { ...graphql, env: { ENGINE: 'mercurius' } },
}

const secret = 'bench-client-secret-0123456789abcdef'
const clientOf = (name: AppName): Client & { algorithm: string } => ({
  ...{ id: `bench-${name}`, secret: apps[name].secret ? secret : '' },
  algorithm: apps[name].algorithm,
})

/** Returns bearer tokens from tables.sql, each with its user's first workspace. */
const tableTokens = (count: number): Credential[] =>
  Array.from({ length: count }, (_, i) => ({
    value: `tok-${i + 1}`,
    variables: { workspaceId: `10000000-0000-4000-8000-${(i + 1).toString(16).padStart(12, '0')}` },
  }))

/** Returns a function that starts a yardstick. */
export const startYardstick =
  (key: string): StartTarget =>
  async ({ port, databaseUrl, nodeArgs }) => {
    const yardstick = yardsticks[key] as Yardstick
    const { name = key, program, selfMade, tokensFromTable } = yardstick
    const cannot = { ...withoutApis, ...yardstick.cannot }
    const base = `http://127.0.0.1:${port}`
    const known = Object.fromEntries((yardstick.apps ?? appNames).map((app) => [app, clientOf(app)]))
    if (!selfMade) await query(databaseUrl, fs.readFileSync(path.join(home, 'tables.sql'), 'utf8'))
    const server = await startServerProcess([...nodeArgs, program], {
      cwd: home,
      probe: `${base}/hello`,
      env: {
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        SIGNING_KEYS: JSON.stringify(signingKeys),
        REDIRECT_URI: redirectUri,
        CLIENTS: JSON.stringify(known),
        ...yardstick.env,
      },
    })
    const ask = async <Answer>(kind: CredentialKind | 'clients', count = 0, app?: AppName) => {
      const answer = await fetch(`${base}/mint`, {
        method: 'POST',
        body: JSON.stringify({ kind, count, app }),
      })
      if (!answer.ok) throw new Error(`${key} could not create credentials: ${await answer.text()}`)
      return answer.json() as Promise<Answer>
    }
    return {
      ...{ name, base, redirectUri, server, cannot },
      ...{ paths: yardstick.paths, once: yardstick.once },
      clients: selfMade ? await ask<Target['clients']>('clients') : known,
      mint: async (kind, count, app) =>
        tokensFromTable ? tableTokens(count) : ask<Credential[]>(kind, count, app),
    }
  }
