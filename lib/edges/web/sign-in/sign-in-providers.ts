import type { NextAuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import Github from 'next-auth/providers/github'
import Google from 'next-auth/providers/google'
import { config } from '@/lib/base/config/env'
import { isAppError } from '@/lib/base/errors/app-error'
import type { Visitor } from '@/lib/base/http/visitor'
import { signIn } from '@/lib/features/identity/people/sign-in'

type Provider = NextAuthOptions['providers'][number]

/** An identity provider the operator has configured, as the sign-in page offers it. */
export type OfferedProvider = { id: string; label: string }

/** The configured identity providers, in the order of the buttons on /login. */
export function offeredProviders(): OfferedProvider[] {
  const settings = config()
  const offered: OfferedProvider[] = []
  if (settings.GITHUB_CLIENT_ID && settings.GITHUB_CLIENT_SECRET)
    offered.push({ id: 'github', label: 'GitHub' })
  if (settings.GOOGLE_CLIENT_ID && settings.GOOGLE_CLIENT_SECRET)
    offered.push({ id: 'google', label: 'Google' })
  if (settings.OIDC_ISSUER && settings.OIDC_CLIENT_ID) offered.push({ id: 'oidc', label: settings.OIDC_NAME })
  return offered
}

/** next-auth's providers: the password, checked by the same function as the form at /login, and those configured. */
export function signInProviders(visitor: Visitor): Provider[] {
  const makers: Record<string, () => Provider> = { github, google, oidc }
  return [password(visitor), ...offeredProviders().flatMap(({ id }) => (makers[id] ? [makers[id]()] : []))]
}

const password = (visitor: Visitor) =>
  Credentials({
    credentials: { email: {}, password: {} },
    async authorize(input) {
      try {
        return { id: (await signIn(visitor, input ?? {})).userId }
      } catch (error) {
        if (isAppError(error) && error.code === 'UNAUTHENTICATED') return null
        throw error
      }
    },
  })

/** GitHub's profile does not say whether its address is verified, so the list of addresses is asked. */
const github = () =>
  Github({
    clientId: config().GITHUB_CLIENT_ID as string,
    clientSecret: config().GITHUB_CLIENT_SECRET as string,
    userinfo: {
      url: 'https://api.github.com/user',
      async request({ client, tokens }) {
        const profile = await client.userinfo(tokens.access_token as string)
        const answer = await fetch('https://api.github.com/user/emails', {
          headers: { authorization: `token ${tokens.access_token}` },
        })
        const addresses = answer.ok
          ? ((await answer.json()) as { email: string; primary: boolean; verified: boolean }[])
          : []
        const primary = addresses.find((address) => address.primary)
        return { ...profile, email: primary?.email, email_verified: primary?.verified === true }
      },
    },
  })

const google = () =>
  Google({
    clientId: config().GOOGLE_CLIENT_ID as string,
    clientSecret: config().GOOGLE_CLIENT_SECRET as string,
  })

/** The part of openid-client's tokens that is needed here. */
type TokenSet = { access_token?: string; claims: () => { sub: string } }

const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '')

/** Metadata that speaks for another issuer than it was asked of signs nobody in (OpenID Connect Discovery 4.3). */
function requireConfiguredIssuer(found: string): void {
  const wanted = config().OIDC_ISSUER ?? ''
  if (withoutSlash(String(found)) === withoutSlash(wanted)) return
  throw new Error(
    `OIDC_ISSUER is ${wanted}, but its metadata names the issuer ${found}. Set it to its own name.`,
  )
}

/** Any OpenID Connect issuer, found by discovery. */
const oidc = (): Provider => ({
  id: 'oidc',
  name: config().OIDC_NAME,
  type: 'oauth',
  wellKnown: `${withoutSlash(config().OIDC_ISSUER ?? '')}/.well-known/openid-configuration`,
  authorization: { params: { scope: 'openid email profile' } },
  idToken: true,
  checks: ['pkce', 'state', 'nonce'],
  token: {
    // Before the code and the secret leave for an endpoint that the metadata names (OpenID Connect Discovery 4.3).
    async request({ client, params, checks, provider }) {
      requireConfiguredIssuer(client.issuer.metadata.issuer)
      return { tokens: await client.callback(provider.callbackUrl, params, checks) }
    },
  },
  userinfo: {
    // Many providers keep the id_token to the bare `sub`, as OpenID Connect Core 5.4 has it; others have no userinfo.
    async request({ client, tokens }) {
      const claims = (tokens as TokenSet).claims()
      if (!client.issuer.metadata.userinfo_endpoint) return claims
      return { ...claims, ...(await client.userinfo(tokens as never)) }
    },
  },
  clientId: config().OIDC_CLIENT_ID as string,
  client: {
    id_token_signed_response_alg: config().OIDC_ID_TOKEN_ALG,
    ...(config().OIDC_CLIENT_SECRET ? {} : { token_endpoint_auth_method: 'none' as const }),
  },
  ...(config().OIDC_CLIENT_SECRET ? { clientSecret: config().OIDC_CLIENT_SECRET as string } : {}),
  profile: (profile: Record<string, string>) => ({
    id: profile.sub as string,
    name: profile.name,
    email: profile.email,
    image: profile.picture,
  }),
})
