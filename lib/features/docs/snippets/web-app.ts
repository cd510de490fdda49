import { authorizationUrlCall, exactRedirectUri, jsString, overHttp, type SnippetValues } from './values'

/**
 * Returns the JavaScript expression for the port that the app listens on. With https, this is not the port of
 * the redirect URI, because a proxy in front of the app terminates TLS.
 */
const portOf = ({ protocol, port }: URL): string => {
  if (protocol === 'https:') return 'process.env.PORT ?? 3000'
  return port ? 'new URL(redirectUri).port' : '80'
}

/**
 * Returns the code of a complete web app with a sign-in link. docs/web-apps and the app's page show it, and a
 * test runs it. The app reads its secret from the environment variable CLIENT_SECRET.
 */
export const webAppSnippet = (values: SnippetValues): string => {
  const redirect = new URL(values.redirectUri)
  const login = redirect.pathname === '/login' ? '/sign-in' : '/login'
  return `import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const redirectUri = ${jsString(values.redirectUri)}
const config = await oidc.discovery(
  new URL(${jsString(`${values.baseUrl}/oauth`)}),
  ${jsString(values.clientId)},
  process.env.CLIENT_SECRET,
${overHttp(values, '  undefined,\n  ')})
${exactRedirectUri(values)}
createServer(async (req, res) => {
  const url = new URL(req.url, redirectUri)

  if (url.pathname === '${login}') {
    const verifier = oidc.randomPKCECodeVerifier()
    const state = oidc.randomState()
    const target = ${authorizationUrlCall(values)}(config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile offline_access project:member',
      prompt: 'consent', // with offline_access, returns a refresh token; omit both once you have stored one
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    // Store these values in a cookie until the user returns.
    res.setHeader('set-cookie', \`signin=\${state}.\${verifier}; HttpOnly; SameSite=Lax; Path=/; Max-Age=600${redirect.protocol === 'https:' ? '; Secure' : ''}\`)
    return res.writeHead(302, { location: target.href }).end()
  }

  if (url.pathname === new URL(redirectUri).pathname) {
    const [, state, verifier] = /signin=([^.;]+)\\.([^;]+)/.exec(req.headers.cookie ?? '') ?? []
    if (!state) return res.writeHead(302, { location: '${login}' }).end()
    try {
      const tokens = await oidc.authorizationCodeGrant(config, url, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      })
      const user = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
      // Store tokens.refresh_token on the server, with the account that user.sub identifies.
      return res.end(\`Hello, \${user.name} <\${user.email}>\`)
    } catch (error) {
      return res.writeHead(400).end(error.error_description ?? error.message)
    }
  }

  res.setHeader('content-type', 'text/html')
  res.end('<a href="${login}">Sign in</a>')
}).listen(${portOf(redirect)}, () => console.log(new URL('/', redirectUri).href))
`
}

/** Returns the code of a provider for next-auth 4. A test signs in with this provider. */
export const nextAuthSnippet = ({
  baseUrl,
  clientId,
  clientSecret,
}: SnippetValues): string => `export const provider = {
  id: 'latchkey',
  name: 'Latchkey',
  type: 'oauth',
  wellKnown: '${baseUrl}/oauth/.well-known/openid-configuration',
  clientId: '${clientId}',
  clientSecret: '${clientSecret}',
  authorization: { params: { scope: 'openid email profile' } },
  checks: ['pkce', 'state'],
  idToken: true,
  profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture }),
}
`

/**
 * Returns the configuration file of a Next.js app that uses Auth.js 5. No test runs the app, because Auth.js
 * 5 is not a dependency. /docs/next-php-and-rust lists the manually tested versions.
 */
export const authJsSnippet = ({
  baseUrl,
  clientId,
}: SnippetValues): string => `import NextAuth from 'next-auth'

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oidc', // reads the endpoints and keys from the issuer
      issuer: ${jsString(`${baseUrl}/oauth`)},
      clientId: ${jsString(clientId)},
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: 'openid email profile' } },
      checks: ['pkce', 'state'],
    },
  ],
})
`

/** Returns the route file of the Auth.js app. */
export const authJsRouteSnippet = (): string => `import { handlers } from '@/auth'

export const { GET, POST } = handlers
`

/** Returns the code of a page in the Auth.js app. */
export const authJsPageSnippet = (): string => `import { auth, signIn, signOut } from '@/auth'

export default async function Page() {
  const session = await auth()
  const act = async () => {
    'use server'
    await (session ? signOut() : signIn('latchkey'))
  }
  return (
    <form action={act}>
      <p>{session ? \`Hello, \${session.user?.name}\` : 'Not signed in'}</p>
      <button>{session ? 'Sign out' : 'Sign in'}</button>
    </form>
  )
}
`
