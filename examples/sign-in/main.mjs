import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = '4000' } = process.env
const redirect_uri = `http://localhost:${PORT}/callback`
const overHttp = { execute: [oidc.allowInsecureRequests] } // for http://localhost, omit it in production
const config = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, overHttp)

async function answer(req, res) {
  const url = new URL(req.url, redirect_uri)
  const started = /verifier=([\w-]+)/.exec(req.headers.cookie)?.[1]
  if (url.pathname === '/login') {
    const verifier = oidc.randomPKCECodeVerifier()
    const code_challenge = await oidc.calculatePKCECodeChallenge(verifier)
    const request = { scope: 'openid email profile', code_challenge, code_challenge_method: 'S256' }
    res.setHeader('set-cookie', `verifier=${verifier}; HttpOnly; SameSite=Lax`)
    res.setHeader('location', oidc.buildAuthorizationUrl(config, { redirect_uri, ...request }).href)
    return res.writeHead(302).end()
  }
  if (url.pathname === '/callback' && started) {
    const tokens = await oidc.authorizationCodeGrant(config, url, { pkceCodeVerifier: started })
    const user = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
    return res.setHeader('content-type', 'text/plain; charset=utf-8').end(`Hello, ${user.name}`)
  }
  res.setHeader('content-type', 'text/html').end('<a href="/login">Sign in with Latchkey</a>')
}

createServer((req, res) => {
  answer(req, res).catch((error) => res.writeHead(400).end(error.error ?? error.message))
}).listen(PORT, () => console.log(`http://localhost:${PORT}`))
