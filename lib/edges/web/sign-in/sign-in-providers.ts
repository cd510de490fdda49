import {
  allowInsecureRequests,
  type authorizationCodeGrant,
  type ClientAuth,
  Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  fetchUserInfo,
  None,
} from 'openid-client'
import { config } from '@/lib/base/config/env'
import { usableProviders } from '@/lib/features/identity/identities'
import { type ExternalPerson, signInExternal } from '@/lib/features/identity/people/sign-in-external'
import type { ProvenPerson } from '@/lib/features/identity/sessions/start-session'
import type { CompanyWord } from '@/lib/policy/required-sso'

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>

/** An identity provider that people sign in through. See decision 098. */
export type SignInProvider = {
  id: string
  label: string
  scope: string
  /** Whether it speaks OpenID Connect, and so gives an id_token. */
  openid: boolean
  /** @throws Error when it cannot be reached, or its metadata names another issuer than was configured */
  configure: () => Promise<Configuration>
  /** Finds or makes the person who has just signed in there; by whose word, where it is a company's. @throws AppError as `signInExternal` */
  letIn: (client: Configuration, tokens: Tokens) => Promise<ProvenPerson & { word?: CompanyWord }>
}

/** One that the operator has configured. */
export type ConfiguredProvider = SignInProvider & {
  /** What it says of the person who has just signed in there. */
  readPerson: (client: Configuration, tokens: Tokens) => Promise<Omit<ExternalPerson, 'provider'>>
}

type Described = Omit<ConfiguredProvider, 'letIn'>

/** The configured identity providers, in the order of the buttons on /login. */
export function signInProviders(): ConfiguredProvider[] {
  const settings = config()
  const make = {
    github: () => github(String(settings.GITHUB_CLIENT_ID), String(settings.GITHUB_CLIENT_SECRET)),
    google: () => google(String(settings.GOOGLE_CLIENT_ID), String(settings.GOOGLE_CLIENT_SECRET)),
    oidc: () => generic(String(settings.OIDC_ISSUER), String(settings.OIDC_CLIENT_ID)),
  }
  return usableProviders().map((id) => {
    const provider = make[id]()
    return {
      ...provider,
      letIn: async (client, tokens) =>
        signInExternal({ provider: id, ...(await provider.readPerson(client, tokens)) }),
    }
  })
}

/** Seconds that one answer of a provider may take. */
export const timeout = 10

/**
 * HTTP Basic (RFC 6749 section 2.3.1) that leaves unreserved characters as they are. The library encodes those too, which a
 * provider that decodes does not notice; to Google, which does not, a `-` or a `.` then makes another client.
 */
export const basic =
  (secret: string): ClientAuth =>
  (_server, client, _body, headers) => {
    const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
    const credentials = Buffer.from(`${encode(client.client_id)}:${encode(secret)}`).toString('base64')
    headers.set('authorization', `Basic ${credentials}`)
  }

/** GitHub speaks OAuth alone. Its profile does not say whether its address is verified, so the list of addresses is asked. */
const github = (clientId: string, secret: string): Described => ({
  id: 'github',
  label: 'GitHub',
  scope: 'read:user user:email',
  openid: false,
  configure: async () => {
    const server = {
      issuer: 'https://github.com/login/oauth',
      authorization_endpoint: 'https://github.com/login/oauth/authorize',
      token_endpoint: 'https://github.com/login/oauth/access_token',
    }
    const client = new Configuration(server, clientId, secret, basic(secret))
    client.timeout = timeout
    return client
  },
  async readPerson(client, { access_token }) {
    const ask = async <Answer>(path: string) => {
      const url = new URL(path, 'https://api.github.com')
      const answer = await fetchProtectedResource(client, access_token, url, 'GET')
      return answer.ok ? ((await answer.json()) as Answer) : undefined
    }
    const profile = await ask<{ id: number; name?: string; login: string; avatar_url?: string }>('/user')
    // Without an id of its own everybody would be the same person here.
    if (!profile || !Number.isSafeInteger(profile.id)) throw new Error('GitHub did not say who this is.')
    const addresses = await ask<{ email: string; primary: boolean; verified: boolean }[]>('/user/emails')
    const primary = addresses?.find((address) => address.primary)
    return {
      subject: String(profile.id),
      email: primary?.email,
      emailVerified: primary?.verified === true,
      name: profile.name ?? profile.login,
      avatarUrl: profile.avatar_url,
    }
  },
})

const google = (clientId: string, secret: string): Described => ({
  id: 'google',
  label: 'Google',
  ...openid(new URL('https://accounts.google.com'), clientId, secret, 'RS256'),
})

/** Any OpenID Connect issuer, found by discovery. */
const generic = (issuer: string, clientId: string): Described => ({
  id: 'oidc',
  label: config().oidcName,
  ...openid(new URL(issuer), clientId, config().OIDC_CLIENT_SECRET),
})

/** @param alg the one algorithm that may sign its ID tokens; without it, those that its metadata lists */
const openid = (issuer: URL, clientId: string, secret: string | undefined, alg?: string) => ({
  scope: 'openid email profile',
  openid: true,
  configure: () => {
    // The library would take an id_token unverified because TLS brought it (OpenID Connect Core 3.1.3.7).
    const execute = [
      enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
    ]
    const options = { timeout, execute }
    const metadata = { client_secret: secret, ...(alg ? { id_token_signed_response_alg: alg } : {}) }
    const authentication = secret ? basic(secret) : None()
    const discover = (url: URL) => discovery(url, clientId, metadata, authentication, options)
    // A slash at the end makes no difference to us; the provider's metadata has it one way.
    return discover(issuer).catch((error) => {
      if (error?.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
      return discover(new URL(issuer.href.endsWith('/') ? issuer.href.slice(0, -1) : `${issuer.href}/`))
    })
  },
  async readPerson(client: Configuration, tokens: Tokens) {
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider gave no id_token.')
    // Many providers keep the id_token to the bare `sub`, as OpenID Connect Core 5.4 has it; others have no userinfo.
    const userinfo: Record<string, unknown> = client.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(client, tokens.access_token, claims.sub)
      : {}
    const told: Record<string, unknown> = { ...claims, ...userinfo }
    // What one of them says of its address vouches for no other address.
    const { email_verified: verified } = told.email === claims.email ? told : userinfo
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
    return {
      subject: claims.sub,
      email: text(told.email),
      emailVerified: verified === true || verified === 'true',
      name: text(told.name),
      avatarUrl: text(told.picture),
    }
  },
})
