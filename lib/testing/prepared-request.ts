import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { registerApp } from './app-requests'
import { authorize, challengeOf, newVerifier, type TestApp } from './oauth-flow'
import { makeOAuthWorld, makeOwner, native, type Owner } from './oauth-world'
import type { TestServer } from './server'

export type Fields = Record<string, string>
/** A request, and the credential in it whose database row tests can change. */
export type Prepared = { fields: Fields; credential?: string; headers?: Fields; raw?: string }

/** Returns the request with the given fields added or replaced. */
export const withField = async (prepared: Promise<Prepared>, fields: Fields): Promise<Prepared> => {
  const { fields: before, ...rest } = await prepared
  return { ...rest, fields: { ...before, ...fields } }
}
/** Returns the request without the named field. */
export const withoutField = async (prepared: Promise<Prepared>, name: string): Promise<Prepared> => {
  const { fields, ...rest } = await prepared
  return { ...rest, fields: Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name)) }
}
/** Returns the request with the given headers, which replace its previous headers. */
export const withHeaders = async (prepared: Promise<Prepared>, headers: Fields): Promise<Prepared> => ({
  ...(await prepared),
  headers,
})
/** Returns the request with its body edited as text. */
export const withBody = async (
  prepared: Promise<Prepared>,
  edit: (raw: string) => string,
): Promise<Prepared> => {
  const made = await prepared
  return { ...made, raw: edit(String(new URLSearchParams(made.fields))) }
}

/**
 * Creates a copy of a code or refresh token: another credential whose row has the same values. The copy has
 * the full lifetime, because the original might have expired.
 */
async function copyOf(value: string, kind: 'authorizationCode' | 'refreshToken'): Promise<string> {
  const copy = mintCredential(kind)
  await pool().query(
    `INSERT INTO oauth_artifacts (hash, model, authorization_id, family, payload, expires_at)
     SELECT $2, model, authorization_id, CASE WHEN family = hash THEN $2 ELSE family END, payload,
            now() + (expires_at - created_at)
       FROM oauth_artifacts WHERE hash = $1`,
    [hashCredential(value), hashCredential(copy)],
  )
  return copy
}

/** Changes the database row of the request's credential. @param sql the assignments of an UPDATE statement */
export const change = async (prepared: Prepared, sql: string): Promise<Prepared> => {
  await pool().query(`UPDATE oauth_artifacts SET ${sql} WHERE hash = $1`, [
    hashCredential(prepared.credential as string),
  ])
  return prepared
}
/** Adds or replaces properties in the payload of the request's credential. */
export const withPayload = (prepared: Prepared, payload: object) =>
  change(prepared, `payload = payload || '${JSON.stringify(payload)}'`)

const asked = { scope: 'openid offline_access email', prompt: 'consent' }
const verifier = newVerifier()

/**
 * Creates several kinds of apps, and functions that return valid requests to the token endpoint. Requests
 * with the same app and parameters share one sign-in, because a sign-in takes many requests. Each request
 * uses its own copy of the sign-in's credential.
 */
export async function makeTokenRequests(server: TestServer) {
  const { owner, web, cli } = await makeOAuthWorld()
  const { app: agent } = await registerApp({
    redirect_uris: [cli.redirectUri],
    token_endpoint_auth_method: 'none',
  })
  const elliptic = await owner.makeApp({ ...native, metadata: { id_token_signed_response_alg: 'ES256' } })

  const post = ({ fields, headers, raw }: Prepared) =>
    server.fetch('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: raw ?? String(new URLSearchParams(fields)),
    })

  type SignIn = { code: string; refreshToken: string | undefined }
  const signIns = new Map<string, Promise<SignIn>>()

  async function signIn(app: TestApp, params: Partial<Fields>, user: Owner): Promise<SignIn> {
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const code = (await authorize(user.browser, app, { ...asked, ...pkce, ...params })).get('code') as string
    const answer = await post(redeeming(app, await copyOf(code, 'authorizationCode')))
    const { refresh_token } = (await answer.json()) as { refresh_token?: string }
    return { code, refreshToken: refresh_token }
  }

  function signedIn(app: TestApp, params: Partial<Fields>, user = owner) {
    const name = JSON.stringify([app.clientId, params])
    const made = signIns.get(name) ?? signIn(app, params, user)
    signIns.set(name, made)
    return made
  }

  const code = async (app: TestApp, params: Partial<Fields> = {}) =>
    redeeming(app, await copyOf((await signedIn(app, params)).code, 'authorizationCode'))

  const token = async (app: TestApp, params: Partial<Fields> = {}, user = owner) =>
    refreshWith(app, await copyOf((await signedIn(app, params, user)).refreshToken as string, 'refreshToken'))

  /**
   * Creates a refresh request with a separate user, app, and authorization, and then runs a statement, for
   * example one that suspends the user.
   * @param sql returns the statement for the IDs of the user and the app
   */
  async function somebodyElses(sql: (user: string, app: string) => string): Promise<Prepared> {
    const user = await makeOwner()
    const app = await user.makeApp(native)
    const prepared = await token(app, {}, user)
    await pool().query(sql(user.user.id, app.clientId))
    return prepared
  }

  return { owner, web, cli, agent, elliptic, post, code, token, somebodyElses }
}

const redeeming = (app: TestApp, code: string) => {
  const redeemed = { code, redirect_uri: app.redirectUri, code_verifier: verifier }
  const fields = { grant_type: 'authorization_code', client_id: app.clientId, ...redeemed }
  return { fields: app.secret ? { ...fields, client_secret: app.secret } : fields, credential: code }
}

/** Returns a refresh request with the given token. */
export const refreshWith = (app: TestApp, value: string): Prepared => ({
  fields: { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: value },
  credential: value,
})
