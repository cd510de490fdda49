import type { JWTPayload } from 'jose'
import { config } from '@/lib/base/config/env'
import { updateApp } from '@/lib/features/apps/update-app'
import { type ClientKey, makeClientKey } from './client-key'
import { authorize, challengeOf, newVerifier, requestToken, type TestApp } from './oauth-flow'
import { makeOAuthWorld } from './oauth-world'
import type { TestServer } from './server'

/** Creates an owner and a high-security app, and returns functions that send the app's requests. */
export async function makeHighSecurityWorld(server: TestServer) {
  const { owner } = await makeOAuthWorld()
  const issuer = () => `${config().BASE_URL}/oauth`
  const actor = {
    kind: 'session' as const,
    userId: owner.user.id,
    sessionId: owner.user.id,
    instanceAdmin: false,
  }

  /**
   * Creates an app with a new key pair in the owner's workspace, and enables high security.
   * @param changes other changes to the app
   */
  async function makeApp(alg = 'ES256', changes: object = {}): Promise<{ app: TestApp; key: ClientKey }> {
    const key = await makeClientKey(alg)
    const { secret: _, ...app } = await owner.makeApp()
    await updateApp(actor, app.clientId, {
      highSecurity: true,
      publicKeys: JSON.stringify(key.jwks),
      ...changes,
    })
    return { app, key }
  }

  const { app, key } = await makeApp()
  const verifier = newVerifier()

  const request = (of: TestApp = app): Record<string, string> => ({
    redirect_uri: of.redirectUri,
    response_type: 'code',
    scope: 'openid offline_access',
    prompt: 'consent',
    state: 'the-state',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  })

  async function push(fields: Record<string, string>, of: TestApp = app) {
    const response = await server.fetch('/oauth/request', {
      method: 'POST',
      body: new URLSearchParams({ client_id: of.clientId, ...fields }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  const pushed = async (changes: Record<string, string> = {}, claims: JWTPayload = {}) =>
    push({ ...request(), ...(await key.assertion(app.clientId, claims)), ...changes })

  /** Pushes an authorization request without the given parameter. */
  async function pushedWithout(name: string) {
    const { [name]: _, ...fields } = request()
    return push({ ...fields, ...(await key.assertion(app.clientId)) })
  }

  const inBrowser = (requestUri: string) =>
    authorize(owner.browser, app, {
      request_uri: requestUri,
      redirect_uri: undefined,
      response_type: undefined,
      scope: undefined,
      state: undefined,
    })

  async function newCode(changes: Record<string, string> = {}): Promise<string> {
    const { body } = await pushed(changes)
    return (await inBrowser(String(body.request_uri))).get('code') as string
  }

  const redeem = async (code: string, headers?: Record<string, string>) =>
    requestToken(
      app,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
        code_verifier: verifier,
        ...(await key.assertion(app.clientId)),
      },
      headers ?? { dpop: await key.proof('POST', '/oauth/token') },
    )
  return {
    owner,
    issuer,
    actor,
    makeApp,
    app,
    key,
    verifier,
    request,
    push,
    pushed,
    pushedWithout,
    inBrowser,
    newCode,
    redeem,
  }
}
