// P0, the limit: node:http, one prepared statement a request, one ES256 signature. No product, no policy, no error
// handling worth the name: it shows what the machine, Node, PostgreSQL and a durable commit leave room for.
import { createHash, randomBytes, sign } from 'node:crypto'
import http from 'node:http'
import pg from 'pg'
import {
  base,
  client,
  databaseUrl,
  person,
  port,
  readBody,
  send,
  sendJson,
  signingKey,
  verifier,
  withMint,
} from './common.mjs'

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const prepared = async (name, text, values) => (await pool.query({ name, text, values })).rows[0]
const sha256 = (text) => createHash('sha256').update(text).digest()
const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
const jwtHeader = base64url({ alg: 'ES256', kid: 'bench', typ: 'JWT' })

function idToken(sub, accessToken) {
  const iat = Math.floor(Date.now() / 1000)
  const at_hash = sha256(accessToken).subarray(0, 16).toString('base64url')
  const input = `${jwtHeader}.${base64url({ iss: base, sub, aud: client.id, iat, exp: iat + 3600, at_hash })}`
  const signature = sign('sha256', Buffer.from(input), { key: signingKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

// Consumes the credential presented and writes its successors: one statement, one commit.
const rotate = `WITH used AS (
    UPDATE floor_token t SET consumed_at = now() FROM floor_grant g
     WHERE t.hash = $1 AND t.kind = $4 AND t.consumed_at IS NULL AND t.expires_at > now()
       AND g.id = t.grant_id AND g.client_id = $5 AND g.revoked_at IS NULL
    RETURNING t.grant_id, g.user_id, g.scope),
  made AS (
    INSERT INTO floor_token (hash, kind, grant_id, expires_at)
    SELECT $2::bytea, 'r', grant_id, now() + interval '365 days' FROM used
     UNION ALL SELECT $3::bytea, 'a', grant_id, now() + interval '1 hour' FROM used)
  SELECT user_id, scope FROM used`
const lookUp = `SELECT t.user_id, t.scope, u.email, u.name, extract(epoch FROM t.expires_at)::int AS exp
  FROM app_token t JOIN app_user u ON u.id = t.user_id WHERE t.hash = $1 AND t.expires_at > now()`
const me = `SELECT json_build_object('data', json_build_object('me', json_build_object('id', u.id, 'email', u.email,
    'workspaces', (SELECT json_agg(json_build_object('id', w.id, 'name', w.name)) FROM app_member m
      JOIN app_workspace w ON w.id = m.workspace_id WHERE m.user_id = u.id))))::text AS body
  FROM app_token t JOIN app_user u ON u.id = t.user_id WHERE t.hash = $1 AND t.expires_at > now()`

const metadata = JSON.stringify({ issuer: base, token_endpoint: `${base}/token`, padding: 'x'.repeat(2500) })
const keys = JSON.stringify({ keys: [{ kty: 'EC', padding: 'x'.repeat(200) }] })
const bearer = (req) => sha256(req.headers.authorization.slice(7))

async function token(req, res) {
  const form = new URLSearchParams(await readBody(req))
  if (req.headers.authorization !== basic) return sendJson(res, { error: 'invalid_client' }, 401)
  const isCode = form.get('grant_type') === 'authorization_code'
  if (isCode) sha256(form.get('code_verifier'))
  const refresh = randomBytes(32).toString('base64url')
  const access = randomBytes(32).toString('base64url')
  const presented = form.get(isCode ? 'code' : 'refresh_token')
  const values = [sha256(presented), sha256(refresh), sha256(access), isCode ? 'c' : 'r', client.id]
  const row = await prepared('rotate', rotate, values)
  if (!row) return sendJson(res, { error: 'invalid_grant' }, 400)
  const answer = { access_token: access, token_type: 'Bearer', expires_in: 3600, refresh_token: refresh }
  sendJson(res, { ...answer, scope: row.scope, id_token: idToken(row.user_id, access) })
}

const routes = {
  '/metadata': (_req, res) => send(res, metadata),
  '/jwks': (_req, res) => send(res, keys),
  '/token': token,
  '/me': async (req, res) => {
    const row = await prepared('look-up', lookUp, [bearer(req)])
    if (row) sendJson(res, { sub: row.user_id, email: row.email, name: row.name })
    else sendJson(res, {}, 401)
  },
  '/introspect': async (req, res) => {
    const form = new URLSearchParams(await readBody(req))
    const row = await prepared('look-up', lookUp, [sha256(form.get('token'))])
    sendJson(
      res,
      row ? { active: true, sub: row.user_id, scope: row.scope, exp: row.exp } : { active: false },
    )
  },
  '/graphql': async (req, res) => {
    await readBody(req)
    const row = await prepared('me', me, [bearer(req)])
    if (row) send(res, row.body)
    else sendJson(res, {}, 401)
  },
}

async function mint({ kind, count }) {
  const secrets = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const users = secrets.map((_, i) => person(1 + (i % 10_000)))
  const grants = await pool.query(
    `INSERT INTO floor_grant (user_id, client_id, scope)
     SELECT u, $2, 'openid offline_access email profile' FROM unnest($1::uuid[]) u RETURNING id`,
    [users, client.id],
  )
  await pool.query(
    `INSERT INTO floor_token (hash, kind, grant_id, expires_at)
     SELECT h, $3, g, now() + interval '1 hour' FROM unnest($1::bytea[], $2::bigint[]) AS x (h, g)`,
    [secrets.map(sha256), grants.rows.map((row) => row.id), kind === 'refresh' ? 'r' : 'c'],
  )
  return secrets.map((value) => ({ value, verifier }))
}

const listener = withMint(mint, async (req, res) => {
  const route = routes[req.url]
  try {
    if (route) await route(req, res)
    else sendJson(res, {}, 404)
  } catch (error) {
    console.error(error)
    sendJson(res, {}, 500)
  }
})
http.createServer(listener).listen(port, '127.0.0.1')
