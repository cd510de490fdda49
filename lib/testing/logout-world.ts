import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeEach, vi } from 'vitest'
import { runShutdownTasks } from '@/lib/base/process/background'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import { updateApp } from '@/lib/features/apps/update-app'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import type { SessionActor } from '@/lib/policy/actor'
import { startJobs } from '@/lib/server/jobs'
import { TestBrowser } from './oauth-browser'
import { signInToApp, type TestApp } from './oauth-flow'
import { makeOwner, type Owner } from './oauth-world'
import { startOutsideServer } from './tls-server'

export const sessionOf = (userId: string, sessionId: string = randomUUID()): SessionActor => ({
  kind: 'session',
  userId,
  sessionId,
  instanceAdmin: false,
})

/**
 * Calls a function until it succeeds, for up to 15 seconds, and returns its result. Tests use this function
 * to wait for the effects of jobs.
 */
export const eventually = <T>(look: () => Promise<T> | T) =>
  vi.waitFor(look, { timeout: 15_000, interval: 50 })

/**
 * Starts a receiver of logout tokens at a URL that the product treats as public, and the jobs that call the
 * receiver. Before each test, the lists of received requests and tokens are emptied, and the receiver's
 * response is reset to 200.
 */
export async function startLogoutWorld() {
  const answer = { status: 200 }
  const requests: { path: string; type: string | undefined; body: string }[] = []
  const heard: string[] = []
  const outside = await startOutsideServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    requests.push({ path: String(req.url), type: req.headers['content-type'], body })
    heard.push(String(new URLSearchParams(body).get('logout_token')))
    res.writeHead(answer.status).end()
  })
  const jobs = await startJobs(makeLogoutToken)
  afterAll(async () => {
    await runShutdownTasks()
    await outside.close()
  })
  beforeEach(() => {
    answer.status = 200
    requests.length = 0
    heard.length = 0
  })

  /** Signs the user in to the product in a new browser, and then to the app in the same browser. */
  async function signInAnew(owner: Pick<Owner, 'user'>, app: TestApp) {
    const sid = await startSession({}, owner.user.id, ['pwd'])
    const browser = new TestBrowser(await sessionCookie({ sub: owner.user.id, sid }))
    const { body } = await signInToApp(browser, app)
    return { actor: sessionOf(owner.user.id, sid), browser, idToken: decodeJwt(body.id_token as string) }
  }

  /**
   * Creates a user and an app with a back-channel logout URI, and signs the user in to the app in a new
   * browser.
   */
  async function signedIn() {
    const owner = await makeOwner()
    const app = await owner.makeApp()
    await updateApp(sessionOf(owner.user.id), app.clientId, {
      backchannelLogoutUri: `${outside.origin}/logout`,
    })
    return { owner, app, ...(await signInAnew(owner, app)) }
  }

  return {
    origin: outside.origin,
    answer,
    jobs,
    /** The requests received during the current test, in order. */
    requests,
    /** The logout tokens received during the current test, in order. */
    heard,
    sids: () => heard.map((token) => decodeJwt(token).sid),
    signInAnew,
    signedIn,
  }
}
