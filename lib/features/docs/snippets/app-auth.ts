import type { SnippetValues } from './values'

/** A literal of Swift for what stands in addresses and ids; JSON writes it the same way. */
const swiftWord = (text: string) => JSON.stringify(text)
/** The same of Kotlin, where `$` begins a value. */
const kotlinWord = (text: string) => JSON.stringify(text).replaceAll('$', '\\u0024')

const redirectUri = 'com.example.app:/callback'

/** Sign-in on iOS with AppAuth. No test runs it, as the tests need Node alone; the page says so. */
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

/** The same on Android. */
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
