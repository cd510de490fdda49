import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { query } from '../machine/database'
import { startServerProcess } from '../machine/server-process'
import type { Credential, CredentialKind, StartTarget, Target } from './target'

const home = path.join(import.meta.dirname, '../yardsticks')

export const redirectUri = 'https://client.example.test/callback'

const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

/** Installs the yardsticks' packages beside them, on the first run and when their versions change. */
export function installYardsticks(): void {
  const wanted = ['package.json', 'schema.prisma'].map((name) => fs.readFileSync(path.join(home, name)))
  const stamp = createHash('sha256').update(Buffer.concat(wanted)).digest('hex')
  const stampFile = path.join(home, 'node_modules/.installed')
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return
  console.error('Installing the yardsticks (first run)')
  const quiet: ExecFileSyncOptions = { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync('npm', ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'], quiet)
  execFileSync(path.join(home, 'node_modules/.bin/prisma'), ['generate', '--schema', 'schema.prisma'], {
    ...quiet,
    // Generating needs no engine; the variable keeps Prisma from downloading one.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
  })
  fs.writeFileSync(stampFile, stamp)
}

type Yardstick = Pick<Target, 'title' | 'paths' | 'operations' | 'once'> & {
  program: string
  env?: Record<string, string>
  /** It makes its own tables. */
  ownTables?: boolean
  /** Bearer tokens come from tables.sql, not from the server. */
  tokensFromTable?: boolean
  /** It makes its client itself. */
  ownClient?: boolean
}

const engine: Pick<Yardstick, 'program' | 'paths' | 'operations'> = {
  program: 'oidc.mjs',
  paths: {
    discovery: '/.well-known/openid-configuration',
    jwks: '/jwks',
    token: '/token',
    userinfo: '/me',
    introspection: '/token/introspection',
  },
  operations: ['discovery', 'jwks', 'refresh', 'code', 'userinfo', 'introspect', 'device'],
}

const graphql: Pick<Yardstick, 'program' | 'paths' | 'operations' | 'once' | 'tokensFromTable'> = {
  program: 'graphql.mjs',
  paths: { graphql: '/graphql' },
  operations: ['graphql'],
  once: 0,
  tokensFromTable: true,
}

export const yardsticks: Record<string, Yardstick> = {
  p0: {
    title: 'the limit: node:http and one prepared statement a request, no product',
    program: 'floor.mjs',
    paths: {
      discovery: '/metadata',
      jwks: '/jwks',
      token: '/token',
      userinfo: '/me',
      introspection: '/introspect',
      graphql: '/graphql',
    },
    operations: ['discovery', 'jwks', 'refresh', 'code', 'userinfo', 'introspect', 'graphql'],
    once: 12_000,
    tokensFromTable: true,
  },
  p1: { ...engine, title: 'bare oidc-provider, in memory: nothing survives a restart', once: 8_000 },
  p2: {
    ...engine,
    title: 'bare oidc-provider with the plain Prisma adapter',
    env: { ADAPTER: 'prisma' },
    once: 1_500,
  },
  p3: {
    title: "better-auth's OAuth provider on pg",
    program: 'better-auth.mjs',
    paths: {
      discovery: '/api/auth/.well-known/openid-configuration',
      token: '/api/auth/oauth2/token',
      userinfo: '/api/auth/oauth2/userinfo',
      introspection: '/api/auth/oauth2/introspect',
    },
    operations: ['discovery', 'refresh', 'code', 'userinfo', 'introspect'],
    once: 800,
    ownTables: true,
    ownClient: true,
  },
  p5y: { ...graphql, title: 'bare graphql-yoga with three prepared statements' },
  p5m: {
    ...graphql,
    title: 'bare mercurius (fastify) with three prepared statements',
    env: { ENGINE: 'mercurius' },
  },
}

const tableTokens = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ value: `tok-${1 + ((i * 97) % 10_000)}` }))

/** How a yardstick is started. */
export const startYardstick =
  (name: string): StartTarget =>
  async ({ port, databaseUrl, nodeArgs }) => {
    const { program, env, ownTables, tokensFromTable, ownClient, ...rest } = yardsticks[name] as Yardstick
    const base = `http://127.0.0.1:${port}`
    if (!ownTables) await query(databaseUrl, fs.readFileSync(path.join(home, 'tables.sql'), 'utf8'))
    const server = await startServerProcess([...nodeArgs, program], {
      cwd: home,
      probe: `${base}/hello`,
      env: {
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        SIGNING_KEY: signingKey,
        REDIRECT_URI: redirectUri,
        ...env,
      },
    })
    const ask = async <Answer>(kind: CredentialKind | 'client', count: number): Promise<Answer> => {
      const answer = await fetch(`${base}/mint`, { method: 'POST', body: JSON.stringify({ kind, count }) })
      if (!answer.ok) throw new Error(`${name} could not mint: ${await answer.text()}`)
      return answer.json() as Promise<Answer>
    }
    const client = { id: 'bench-client', secret: 'bench-client-secret-0123456789abcdef' }
    return {
      name,
      base,
      redirectUri,
      server,
      ...rest,
      client: ownClient ? await ask<typeof client>('client', 1) : client,
      mint: async (kind, count) =>
        tokensFromTable && kind.endsWith('access') ? tableTokens(count) : ask<Credential[]>(kind, count),
    }
  }
