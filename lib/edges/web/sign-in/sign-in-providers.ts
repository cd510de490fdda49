import type { OAuthConfig, TokenEndpointHandler } from 'next-auth/providers/oauth'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  type ClientAuth,
  Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client'
import { config } from '@/lib/base/config/env'
import { claimFault } from '@/lib/base/credentials/outside-claims'
import { databaseNow } from '@/lib/base/db/clock'
import { usableProviders } from '@/lib/features/identity/identities'
import type { ExternalUser } from '@/lib/features/identity/users/sign-in-external'

/** The profile of a user whom an identity provider signed in. */
export type ProviderProfile = Omit<ExternalUser, 'provider'>

/** An identity provider that an instance admin configured: GitHub, Google, or one OpenID Connect issuer. */
export type SignInProvider = {
  id: 'github' | 'google' | 'oidc'
  label: string
  scope: string
  /** Whether the provider supports OpenID Connect and therefore returns an ID token. */
  openid: boolean
  /**
   * Returns the provider's metadata and this instance's client credentials, for openid-client.
   * @throws Error if an OpenID provider cannot be reached, or if the issuer in its metadata is not the
   * configured issuer
   */
  configure: () => Promise<Configuration>
  /**
   * Returns the user ID that the provider assigned to the owner of these tokens.
   * @throws Error if the provider returns no ID
   */
  readSubject: (tokens: {
    access_token: string
    claims: () => { sub: string } | undefined
  }) => Promise<string>
  /**
   * The provider's next-auth entry for requests that do not involve the provider. Contains no endpoints and
   * no credentials.
   */
  listed: OAuthConfig<ProviderProfile>
  /**
   * Returns the provider's next-auth entry, with everything needed to sign users in. @throws the errors of
   * `configure`
   */
  forNextAuth: () => Promise<OAuthConfig<ProviderProfile>>
}

/** Returns the configured identity providers, in the order of the buttons on /login. */
export function signInProviders(): SignInProvider[] {
  const settings = config()
  const make = {
    github: () => github(String(settings.GITHUB_CLIENT_ID), String(settings.GITHUB_CLIENT_SECRET)),
    google: () =>
      openid({
        id: 'google',
        label: 'Google',
        issuer: 'https://accounts.google.com',
        clientId: String(settings.GOOGLE_CLIENT_ID),
        secret: String(settings.GOOGLE_CLIENT_SECRET),
        alg: 'RS256',
      }),
    oidc: () =>
      openid({
        id: 'oidc',
        label: settings.oidcName,
        issuer: String(settings.OIDC_ISSUER),
        clientId: String(settings.OIDC_CLIENT_ID),
        secret: settings.OIDC_CLIENT_SECRET,
        alg: undefined,
      }),
  }
  return usableProviders().map((id) => make[id]())
}

/** The timeout for one request to a provider, in seconds. */
export const timeout = 10

/**
 * Returns HTTP Basic authentication (RFC 6749 section 2.3.1) that does not encode unreserved characters.
 * openid-client 6 would encode them, but Google does not decode them. Google would therefore reject a client
 * ID that contains a `-` or a `.`.
 */
export const basic =
  (secret: string): ClientAuth =>
  (_server, client, _body, headers) => {
    const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
    const credentials = Buffer.from(`${encode(client.client_id)}:${encode(secret)}`).toString('base64')
    headers.set('authorization', `Basic ${credentials}`)
  }

const httpOptions = { timeout: timeout * 1000 }

const githubServer = {
  issuer: 'https://github.com/login/oauth',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
}

/**
 * Returns GitHub as a provider. GitHub supports only OAuth, not OpenID Connect. A GitHub profile does not
 * show whether the email address is verified, so the list of the user's email addresses is also requested.
 */
function github(clientId: string, secret: string): SignInProvider {
  const scope = 'read:user user:email'
  const listed = { id: 'github', name: 'GitHub', type: 'oauth', profile: asUser } as const
  const configure = async () => {
    const client = new Configuration(githubServer, clientId, secret, basic(secret))
    client.timeout = timeout
    return client
  }
  return {
    id: listed.id,
    label: listed.name,
    listed,
    scope,
    openid: false,
    configure,
    readSubject: async ({ access_token }) => String((await githubUser(access_token)).id),
    forNextAuth: async () => ({
      ...listed,
      clientId,
      clientSecret: secret,
      issuer: githubServer.issuer,
      authorization: { url: githubServer.authorization_endpoint, params: { scope } },
      token: { url: githubServer.token_endpoint, request: redeem(await configure(), false) },
      userinfo: { request: async ({ tokens }) => githubProfile(String(tokens.access_token)) },
      idToken: false,
      checks: ['pkce', 'state'],
      httpOptions,
    }),
  }
}

type GithubUser = { id: number; name?: string; login: string; avatar_url?: string }

async function askGithub<Answer>(token: string, path: string): Promise<Answer | undefined> {
  const answer = await fetch(new URL(path, 'https://api.github.com'), {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'latchkey' },
    signal: AbortSignal.timeout(timeout * 1000),
    redirect: 'manual',
  })
  return answer.ok ? ((await answer.json()) as Answer) : undefined
}

async function githubUser(token: string): Promise<GithubUser> {
  const user = await askGithub<GithubUser>(token, '/user')
  // Reject a missing or invalid ID. Otherwise, all GitHub users without an ID would share an account on this
  // instance.
  if (!user || !Number.isSafeInteger(user.id)) throw new Error('GitHub did not return a user.')
  return user
}

/**
 * Returns the profile of the user whom GitHub signed in, with the user's primary email address.
 * @throws Error if GitHub returns no user
 */
export async function githubProfile(token: string): Promise<ProviderProfile> {
  const user = await githubUser(token)
  const addresses = await askGithub<{ email: string; primary: boolean; verified: boolean }[]>(
    token,
    '/user/emails',
  )
  const primary = addresses?.find((address) => address.primary)
  return {
    subject: String(user.id),
    email: primary?.email,
    emailVerified: primary?.verified === true,
    name: user.name ?? user.login,
    avatarUrl: user.avatar_url,
  }
}

/** The values that next-auth stored in cookies when it sent the user to the provider. */
type Checks = { state?: string; nonce?: string; code_verifier?: string }

/**
 * Returns next-auth's `token.request`, implemented with openid-client. next-auth's own library would accept
 * an access token instead of the code, even if the provider issued the token to another client (RFC 9700
 * section 4.6). That library would also accept responses without `iss` (RFC 9207 section 2.4), and it
 * supports only one signature algorithm.
 */
const redeem =
  (client: Configuration, openid: boolean): TokenEndpointHandler['request'] =>
  async ({ provider, params, checks }) => {
    const url = new URL(provider.callbackUrl)
    url.search = `${new URLSearchParams(params as Record<string, string>)}`
    const { state, nonce, code_verifier } = checks as Checks
    const tokens = await authorizationCodeGrant(client, url, {
      expectedState: String(state),
      pkceCodeVerifier: String(code_verifier),
      ...(openid ? { expectedNonce: String(nonce), idTokenExpected: true } : {}),
    })
    return { tokens: { ...tokens } }
  }

type Openid = {
  id: 'google' | 'oidc'
  label: string
  issuer: string
  clientId: string
  secret: string | undefined
  /**
   * The only accepted signature algorithm for the issuer's ID tokens. If undefined, the algorithms in the
   * issuer's metadata are accepted, or RS256 if the metadata lists none.
   */
  alg: string | undefined
}

/** Returns an OpenID Connect issuer as a provider. Its endpoints come from discovery. */
function openid({ id, label, issuer, clientId, secret, alg }: Openid): SignInProvider {
  const scope = 'openid email profile'
  const configure = () => discover(new URL(issuer), clientId, secret, alg)
  const listed = { id, name: label, type: 'oauth', profile: asUser } as const
  return {
    id,
    label,
    listed,
    scope,
    openid: true,
    configure,
    readSubject: async (tokens) => {
      const claims = tokens.claims()
      if (!claims) throw new Error('The provider returned no ID token.')
      return claims.sub
    },
    forNextAuth: async () => {
      const client = await configure()
      const metadata = client.serverMetadata()
      return {
        ...listed,
        clientId,
        ...(secret === undefined ? {} : { clientSecret: secret }),
        issuer: metadata.issuer,
        authorization: { url: String(metadata.authorization_endpoint), params: { scope } },
        token: { url: String(metadata.token_endpoint), request: redeem(client, true) },
        userinfo: {
          ...(metadata.userinfo_endpoint ? { url: metadata.userinfo_endpoint } : {}),
          request: async ({ tokens }) => {
            const claims = tokensClaims(tokens, clientId)
            const { access_token } = tokens
            // Some providers have no UserInfo endpoint. In that case, use only the claims of the ID token.
            const userinfo = metadata.userinfo_endpoint
              ? await fetchUserInfo(client, String(access_token), String(claims.sub))
              : {}
            return openidProfile(claims, userinfo)
          },
        },
        idToken: true,
        checks: ['pkce', 'state', 'nonce'],
      }
    },
  }
}

function discover(issuer: URL, clientId: string, secret: string | undefined, alg: string | undefined) {
  // Without `enableNonRepudiationChecks`, the library would accept an ID token without checking its
  // signature, because the token was received over TLS (OpenID Connect Core section 3.1.3.7).
  const execute = [
    enableNonRepudiationChecks,
    ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
  ]
  const options = { timeout, execute }
  const metadata = { client_secret: secret, ...(alg ? { id_token_signed_response_alg: alg } : {}) }
  const authentication = secret ? basic(secret) : None()
  const at = (url: URL) => discovery(url, clientId, metadata, authentication, options)
  // The issuer in the provider's metadata can differ from the configured issuer by a trailing slash. If the
  // two differ, add or remove the trailing slash and try again.
  return at(issuer).catch((error) => {
    if (error?.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
    return at(new URL(issuer.href.endsWith('/') ? issuer.href.slice(0, -1) : `${issuer.href}/`))
  })
}

/**
 * Returns the claims of an ID token whose signature, issuer, audience, and nonce were already checked.
 * @throws Error if another claim is invalid
 */
function tokensClaims(tokens: object, clientId: string): Record<string, unknown> {
  const claims = { ...(tokens as { claims: () => Record<string, unknown> }).claims() }
  // The library does not check all claims, so check them here. For example, it accepts an empty `sub` and any
  // `iat` in the future.
  const fault = claimFault(claims, databaseNow(), clientId)
  if (fault) throw new Error(`The provider's ID token is not valid: ${fault}.`)
  return claims
}

/**
 * Returns the profile of the user whom an OpenID provider signed in. The subject comes from the ID token.
 * Many providers put only `sub` into the ID token (OpenID Connect Core section 5.4), so all other values can
 * also come from UserInfo, which takes precedence. If the ID token and UserInfo contain different email
 * addresses, the profile contains the email address from UserInfo. In that case, the `email_verified` claim
 * of the ID token is ignored.
 */
export function openidProfile(
  claims: Record<string, unknown>,
  userinfo: Record<string, unknown>,
): ProviderProfile {
  const merged: Record<string, unknown> = { ...claims, ...userinfo }
  const { email_verified: verified } = merged.email === claims.email ? merged : userinfo
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    subject: String(claims.sub),
    email: text(merged.email),
    emailVerified: verified === true || verified === 'true',
    name: text(merged.name),
    avatarUrl: text(merged.picture),
  }
}

/**
 * Returns a copy of the profile with the `id` that next-auth requires. The `signIn` callback receives the
 * original profile instead of this copy.
 */
const asUser = (profile: ProviderProfile) => ({ id: profile.subject, ...profile })
