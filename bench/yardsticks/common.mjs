// Code that all yardsticks except mcp.mjs share, such as settings from the environment and helpers for
// requests.
import { createPrivateKey } from 'node:crypto'

export const port = Number(process.env.PORT)
export const base = `http://127.0.0.1:${port}`
export const databaseUrl = process.env.DATABASE_URL
export const redirectUri = process.env.REDIRECT_URI
/** The benchmark's apps by name: `{ id, secret, algorithm }`. The secret of a native app is empty. */
export const clients = JSON.parse(process.env.CLIENTS ?? '{}')
/** The example verifier from RFC 7636, appendix B. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
/**
 * The signing keys of ID tokens as JWKs, one for each algorithm. better-auth creates its own keys instead.
 */
export const signingKeys = Object.entries(JSON.parse(process.env.SIGNING_KEYS ?? '{}')).map(([alg, pem]) => ({
  ...createPrivateKey(pem).export({ format: 'jwk' }),
  ...{ use: 'sig', alg, kid: `bench-${alg}` },
}))
/** Returns the ID of user number n in tables.sql. */
export const user = (n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

export async function readBody(req) {
  let text = ''
  req.setEncoding('utf8')
  for await (const chunk of req) text += chunk
  return text
}

export function send(res, text, status = 200) {
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  res.end(text)
}

export const sendJson = (res, body, status) => send(res, JSON.stringify(body), status)

/**
 * Returns a handler that adds two routes to the given handler. /hello shows that the server has started.
 * /mint passes its body {kind, count, app} to `mint`, which creates credentials before the measurement.
 */
export const withMint = (mint, handler) => async (req, res) => {
  if (req.url === '/hello') return send(res, '{}')
  if (req.url !== '/mint') return handler(req, res)
  try {
    sendJson(res, await mint(JSON.parse(await readBody(req))))
  } catch (error) {
    console.error(error)
    sendJson(res, { error: String(error) }, 500)
  }
}

process.on('SIGTERM', () => process.exit(0))
