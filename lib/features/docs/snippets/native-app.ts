import { authorizationUrlCall, exactRedirectUri, jsString, overHttp, type SnippetValues } from './values'

/**
 * The parts of a program that handle the redirect: the imports, and the code before and after the
 * authorization request.
 */
type Way = { imports: string; before: string; after: string }

const anyPort = /^http:\/\/(127\.0\.0\.1|\[::1\])(\/|\?|$)/

/**
 * Returns the parts of a program that receives the redirect on a loopback address (RFC 8252 section 7.3). If
 * the redirect URI contains a loopback IP address without a port, the program listens on any free port.
 */
function byListening(uri: string): Way {
  const { hostname, port } = new URL(uri)
  const host = jsString(hostname.replace(/[[\]]/g, ''))
  const open = (at: string) => `const listener = createServer()
await new Promise((resolve) => listener.listen(${at}, ${host}, resolve))`
  return {
    imports: "import { createServer } from 'node:http'",
    before: anyPort.test(uri)
      ? `// The redirect URI is registered without a port, so any free port works.
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

/**
 * Returns the parts of a program whose redirect URI has a private-use scheme or is a claimed https URL. On a
 * user's device, the operating system opens the app with this URI. To try the program, the developer pastes
 * the URI into the terminal instead.
 */
const byOpening = (uri: string): Way => ({
  imports: "import { createInterface } from 'node:readline/promises'",
  before: `const redirectUri = ${jsString(uri)}`,
  after: `// The system opens your app with a URL that contains the response. To try this program, paste the URL here.
const terminal = createInterface({ input: process.stdin, output: process.stdout })
const answer = new URL(await terminal.question('Address: '))
terminal.close()`,
})

/**
 * Returns the code of a native app that signs a user in through the system browser. The code for the redirect
 * depends on the redirect URI. docs/native-apps and the app's page show the program, and a test runs it with
 * a loopback address.
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

/** Returns the script of a single-page app. docs/native-apps shows it, and a test runs it in a browser. */
export const singlePageAppSnippet = ({
  baseUrl,
  clientId,
  redirectUri,
}: SnippetValues): string => `import { UserManager } from 'oidc-client-ts'

const manager = new UserManager({
  authority: ${jsString(`${baseUrl}/oauth`)},
  client_id: ${jsString(clientId)},
  redirect_uri: ${jsString(redirectUri)},
  post_logout_redirect_uri: \`\${location.origin}/\`,
  loadUserInfo: true, // the current claims
  scope: 'openid email profile offline_access',
  prompt: 'consent', // with offline_access, returns the refresh token that renews the access token
})

if (new URLSearchParams(location.search).has('state')) {
  await manager.signinCallback()
  history.replaceState(null, '', '/')
}
const user = await manager.getUser()
document.querySelector('#who').textContent = user ? \`Hello, \${user.profile.name}\` : 'Not signed in'

document.querySelector('#sign-in').onclick = () => manager.signinRedirect()
document.querySelector('#sign-out').onclick = async () => {
  await manager.revokeTokens() // takes effect immediately
  await manager.signoutRedirect()
}
`

/**
 * Returns the code of a command-line tool that signs a user in with the device flow. A test runs the tool.
 */
export const deviceFlowSnippet = (values: SnippetValues): string => `import * as oidc from 'openid-client'

const config = await oidc.discovery(
  new URL(${jsString(`${values.baseUrl}/oauth`)}),
  ${jsString(values.clientId)},
  undefined,
  oidc.None(),
${overHttp(values, '  ')})

const device = await oidc.initiateDeviceAuthorization(config, {
  scope: 'openid email offline_access project:viewer',
})
console.log(\`Open \${device.verification_uri} and enter \${device.user_code}\`)
console.log(\`or open \${device.verification_uri_complete}\`)

// Polls at the interval that the server sets, until the user has decided.
const tokens = await oidc.pollDeviceAuthorizationGrant(config, device)
const user = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
console.log(\`Signed in as \${user.email}\`)
`

/** Returns a Swift string literal for a URL or an ID. For these values, a JSON string has the same syntax. */
const swiftWord = (text: string) => JSON.stringify(text)
/** Returns a Kotlin string literal. Escapes `$`, which starts a template expression. */
const kotlinWord = (text: string) => JSON.stringify(text).replaceAll('$', '\\u0024')

const redirectUri = 'com.example.app:/callback'

/**
 * Returns Swift code that signs users in with AppAuth on iOS. No test runs the code, because that would
 * require iOS. docs/native-apps states that the code is untested.
 */
export const appAuthSwiftSnippet = ({ baseUrl, clientId }: SnippetValues): string => `import AppAuth

func signIn(from screen: UIViewController) {
    let issuer = URL(string: ${swiftWord(`${baseUrl}/oauth`)})!
    OIDAuthorizationService.discoverConfiguration(forIssuer: issuer) { configuration, error in
        guard let configuration else { return print(error!) }
        let request = OIDAuthorizationRequest(
            configuration: configuration, // the request adds PKCE, state and nonce
            clientId: ${swiftWord(clientId)},
            scopes: [OIDScopeOpenID, OIDScopeEmail, OIDScopeProfile],
            redirectURL: URL(string: ${swiftWord(redirectUri)})!,
            responseType: OIDResponseTypeCode,
            additionalParameters: nil)
        flow = OIDAuthState.authState(byPresenting: request, presenting: screen) { state, error in
            print(state?.lastTokenResponse?.accessToken ?? error!.localizedDescription)
        }
    }
}

var flow: OIDExternalUserAgentSession? // kept while the browser is open
`

/**
 * Returns Kotlin code that signs users in with AppAuth on Android. The code is untested, like
 * `appAuthSwiftSnippet`.
 */
export const appAuthKotlinSnippet = ({ baseUrl, clientId }: SnippetValues): string => `import android.net.Uri
import net.openid.appauth.*

class SignIn(private val activity: androidx.activity.ComponentActivity) {
    private val service = AuthorizationService(activity)
    private val screen = activity.registerForActivityResult(
        androidx.activity.result.contract.ActivityResultContracts.StartActivityForResult()
    ) { result ->
        val answer = AuthorizationResponse.fromIntent(result.data ?: return@registerForActivityResult)
        if (answer != null) service.performTokenRequest(answer.createTokenExchangeRequest()) { tokens, error ->
            println(tokens?.accessToken ?: error?.errorDescription)
        }
    }

    fun start() = AuthorizationServiceConfiguration.fetchFromIssuer(Uri.parse(${kotlinWord(`${baseUrl}/oauth`)})) { configuration, error ->
        if (configuration == null) return@fetchFromIssuer println(error)
        val request = AuthorizationRequest.Builder(
            configuration, // the request adds PKCE, state and nonce
            ${kotlinWord(clientId)},
            ResponseTypeValues.CODE,
            Uri.parse(${kotlinWord(redirectUri)})
        ).setScopes("openid", "email", "profile").build()
        screen.launch(service.getAuthorizationRequestIntent(request))
    }
}
`
