import { prisma } from '@/lib/base/db/prisma'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { type SignInMethod, startSession } from '@/lib/features/identity/sessions/start-session'
import { makeClient, makeProject, makeUser, makeWorkspace } from './factories'
import { TestBrowser } from './oauth-browser'
import type { TestApp } from './oauth-flow'
import { startOAuthServer } from './oauth-server'

type Fields = Parameters<typeof makeClient>[1] & object

/** Creates a workspace with one project, and a signed-in admin with a browser. */
export async function makeOwner() {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  const project = await makeProject(workspace)
  return {
    user,
    workspace,
    project,
    browser: await signedInBrowser(user.id),
    /** Creates an app in the workspace. */
    makeApp: async (fields: Fields = {}): Promise<TestApp> => {
      const { client, secret } = await makeClient(workspace, fields)
      return { clientId: client.id, secret, redirectUri: client.redirectUris[0] as string }
    },
  }
}

/** Changes the row of an app, and its version, so that the server reads the app again. */
export const changeApp = ({ clientId: id }: TestApp, data: object) =>
  prisma().oAuthClient.update({ where: { id }, data: { ...data, version: { increment: 1 } } })

export type Owner = Awaited<ReturnType<typeof makeOwner>>

/** The fields of a native app, with a redirect URI on this machine. */
export const native = { type: 'NATIVE' as const, redirectUris: ['http://127.0.0.1:7777/callback'] }

/**
 * Creates an owner, a web app, and a native app. The owner's browser requires a running server
 * (`startOAuthServer`).
 */
export async function makeOAuthWorld() {
  const owner = await makeOwner()
  return { owner, web: await owner.makeApp(), cli: await owner.makeApp(native) }
}

/**
 * Starts the product's server, and creates an owner, a web app, and a native app. Most OAuth test files call
 * this first.
 */
export async function startOAuthWorld() {
  const server = await startOAuthServer()
  return { server, ...(await makeOAuthWorld()) }
}

/**
 * Starts a session for a user, and returns a browser with the session's cookie. @param methods the methods of
 * the sign-in
 */
export async function signedInBrowser(
  userId: string,
  methods: SignInMethod[] = ['pwd'],
): Promise<TestBrowser> {
  const sid = await startSession({}, userId, methods)
  return new TestBrowser(await sessionCookie({ sub: userId, sid }))
}
