import { resetConfig } from '@/lib/base/config/env'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { endConnections } from '@/lib/base/db/pool'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { type BreakablePath, breakablePath } from '@/lib/testing/breakable-path'
import { makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { testPort } from '@/lib/testing/free-port'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { offline, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { applyTestEnvironment } from '@/lib/testing/test-environment'
import { Ledger } from './ledger'
import { type Server, startServer } from './server'

/** The environment of a drill: a separate database, a breakable connection to it, and servers. */
export type Stage = {
  port: number
  /** The folder of the database. */
  dataDir: string
  path: BreakablePath
  /**
   * Starts a server. By default, the server uses the breakable connection, listens on the stage's port, and
   * runs this release.
   */
  serve: (more?: { port?: number; dir?: string; settings?: Record<string, string> }) => Server
  /** Returns the browser of a new signed-in user. */
  browser: () => Promise<TestBrowser>
  /**
   * Signs new users in to the stage's app, and returns a ledger that can continuously refresh their tokens.
   * Requires a running server or proxy on the stage's port. Closes the connections of this process, so call
   * this function after all other preparations.
   * @param lines the number of users
   * @param base returns the URL for the ledger's next request; if undefined, requests go to the stage's port
   */
  ledger: (lines: number, base?: () => string) => Promise<Ledger>
  /**
   * Creates a ledger with its own users for each of several URLs. @param lines the number of users of each
   * ledger
   */
  ledgers: (lines: number, bases: (() => string)[]) => Promise<Ledger[]>
  /** Returns the stage's native app, which every user can sign in to. The first call creates the app. */
  app: () => Promise<TestApp>
}

type Database = { url: string; release: () => Promise<void> }

/** Starts a PostgreSQL server from npm with its data in a folder. */
export const openDatabase = (dataDir: string) => openEmbeddedDatabase(dataDir, { database: 'faults' })

/**
 * Sets up a stage in a temporary folder, runs the work, and removes the stage.
 * @param options `migrated` is false for an empty database. `open` starts the database in the folder. The
 * default is a single PostgreSQL server from npm
 */
export async function withStage<T>(
  {
    migrated = true,
    open = openDatabase,
  }: { migrated?: boolean; open?: (dataDir: string) => Promise<Database> },
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const dataDir = makeTemporaryData()
  const database = await open(dataDir)
  const port = await testPort()
  const target = new URL(database.url)
  const broken = await breakablePath(target)
  const through = new URL(target)
  through.port = String(broken.port)
  applyTestEnvironment(database.url, port)
  resetConfig()
  if (migrated) await migrate(database.url, readMigrations('prisma/migrations'))
  const servers: Server[] = []
  let app: Promise<TestApp> | undefined
  const makeApp = async (): Promise<TestApp> => {
    const owner = await makeUser()
    const { client } = await makeClient(await makeWorkspace([[owner, 'ADMIN']]), {
      type: 'NATIVE',
      redirectUris: ['http://127.0.0.1:7777/callback'],
    })
    return { clientId: client.id, redirectUri: client.redirectUris[0] as string }
  }
  const stage: Stage = {
    port,
    dataDir,
    path: broken,
    serve({ port: own = port, dir, settings = {} } = {}) {
      const env = {
        BASE_URL: `http://127.0.0.1:${port}`,
        DATABASE_URL: through.href,
        SECRET_KEY: String(process.env.SECRET_KEY),
        ...settings,
      }
      const server = startServer(own, env, dir)
      servers.push(server)
      return server
    },
    async browser() {
      const { id } = await makeUser()
      return new TestBrowser(await sessionCookie({ sub: id, sid: await startSession({}, id, ['pwd']) }))
    },
    async ledger(lines, base = () => `http://127.0.0.1:${port}`) {
      const [only] = await stage.ledgers(lines, [base])
      return only as Ledger
    },
    async ledgers(lines, bases) {
      const signedIn = await stage.app()
      const made: { clientId: string; refreshToken: string }[] = []
      for (let line = 0; line < lines * bases.length; line++) {
        const { body } = await signInToApp(await stage.browser(), signedIn, offline)
        made.push({ clientId: signedIn.clientId, refreshToken: body.refresh_token as string })
      }
      // Close the connections of this process, because they could affect the failure.
      await endConnections()
      return bases.map((base, i) => new Ledger(base, made.slice(i * lines, (i + 1) * lines)))
    },
    app: () => {
      app ??= makeApp()
      return app
    },
  }
  try {
    return await work(stage)
  } finally {
    for (const { child, ended } of servers) {
      child.kill('SIGKILL')
      await ended
    }
    broken.close()
    await endConnections().catch(() => undefined)
    await database.release()
    removeTemporaryData(dataDir)
  }
}
