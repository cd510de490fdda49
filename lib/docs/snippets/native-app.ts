import { overHttp, type SnippetValues } from './values'

/** A native app that signs in through the system browser and a loopback redirect; a test runs it. */
export const nativeAppSnippet = (values: SnippetValues): string => `import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const config = await oidc.discovery(
  new URL('${values.baseUrl}/oauth'),
  '${values.clientId}',
  undefined,
  oidc.None(), // a native app has no secret
${overHttp(values, '  ')})

// Any free port: the app is registered with http://127.0.0.1/callback.
const listener = createServer()
await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
const redirectUri = \`http://127.0.0.1:\${listener.address().port}/callback\`

const verifier = oidc.randomPKCECodeVerifier()
const state = oidc.randomState()
const target = oidc.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: 'openid email offline_access project:member',
  prompt: 'consent',
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
})
console.log(\`Open \${target.href}\`)

const answer = await new Promise((resolve) => {
  listener.on('request', (req, res) => {
    res.end('You can close this window.')
    resolve(new URL(req.url, redirectUri))
  })
})
listener.close()

const tokens = await oidc.authorizationCodeGrant(config, answer, {
  pkceCodeVerifier: verifier,
  expectedState: state,
})
console.log(\`Signed in as \${tokens.claims().sub}\`)
`
