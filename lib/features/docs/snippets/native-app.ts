import { exactRedirectUri } from './exact-redirect-uri'
import { jsString } from './quote'
import { authorizationUrlCall, overHttp, type SnippetValues } from './values'

/** How the program gets the answer, in parts: what it imports, what it does before the request, and after it. */
type Way = { imports: string; before: string; after: string }

const anyPort = /^http:\/\/(127\.0\.0\.1|\[::1\])(\/|\?|$)/

/** The program listens on the loopback address itself (RFC 8252 section 7.3). */
function byListening(uri: string): Way {
  const { hostname, port } = new URL(uri)
  const host = jsString(hostname.replace(/[[\]]/g, ''))
  const open = (at: string) => `const listener = createServer()
await new Promise((resolve) => listener.listen(${at}, ${host}, resolve))`
  return {
    imports: "import { createServer } from 'node:http'",
    before: anyPort.test(uri)
      ? `// Registered without a port, so any free one will do.
const registered = ${jsString(uri)}
${open('0')}
const redirectUri = registered.replace(/^http:\\/\\/[^/?]+/, (origin) => \`\${origin}:\${listener.address().port}\`)`
      : `const redirectUri = ${jsString(uri)}
${open(port || '80')}`,
    after: `const answer = await new Promise((resolve) => {
  listener.on('request', (req, res) => {
    res.end('You can close this window.')
    resolve(new URL(req.url, redirectUri))
  })
})
listener.close()`,
  }
}

/** The system opens the app with the answer's address: a scheme of its own or a claimed https address. */
const byOpening = (uri: string): Way => ({
  imports: "import { createInterface } from 'node:readline/promises'",
  before: `const redirectUri = ${jsString(uri)}`,
  after: `// The system opens your app with an address that holds the answer. To try it out, paste that address here.
const terminal = createInterface({ input: process.stdin, output: process.stdout })
const answer = new URL(await terminal.question('Address: '))
terminal.close()`,
})

/**
 * A native app that signs in through the system browser, by whatever way its redirect URI calls for; docs/native-apps
 * and the app's page show it and a test runs it.
 */
export const nativeAppSnippet = (values: SnippetValues): string => {
  const { protocol } = new URL(values.redirectUri)
  const way = (protocol === 'http:' ? byListening : byOpening)(values.redirectUri)
  return `${way.imports}
import * as oidc from 'openid-client'

const config = await oidc.discovery(
  new URL(${jsString(`${values.baseUrl}/oauth`)}),
  ${jsString(values.clientId)},
  undefined,
  oidc.None(), // a native app has no secret
${overHttp(values, '  ')})

${way.before}
${exactRedirectUri(values)}
const verifier = oidc.randomPKCECodeVerifier()
const state = oidc.randomState()
const target = ${authorizationUrlCall(values)}(config, {
  redirect_uri: redirectUri,
  scope: 'openid email offline_access project:member',
  prompt: 'consent',
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
})
console.log(\`Open \${target.href}\`)

${way.after}

const tokens = await oidc.authorizationCodeGrant(config, answer, {
  pkceCodeVerifier: verifier,
  expectedState: state,
})
console.log(\`Signed in as \${tokens.claims().sub}\`)
`
}
