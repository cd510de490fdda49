import { jsString } from './quote'
import type { SnippetValues } from './values'

/** The script of a single-page app; docs/native-apps shows it, and a test runs it in a browser. */
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
  loadUserInfo: true, // the claims as they are now
  scope: 'openid email profile offline_access',
  prompt: 'consent', // with offline_access: gives the refresh token that renews the access token
})

if (new URLSearchParams(location.search).has('state')) {
  await manager.signinCallback()
  history.replaceState(null, '', '/')
}
const user = await manager.getUser()
document.querySelector('#who').textContent = user ? \`Hello, \${user.profile.name}\` : 'Nobody is signed in'

document.querySelector('#sign-in').onclick = () => manager.signinRedirect()
document.querySelector('#sign-out').onclick = async () => {
  await manager.revokeTokens() // at once, here and everywhere
  await manager.signoutRedirect()
}
`
