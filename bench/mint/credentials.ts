import type { Provider } from 'oidc-provider'
import { apiResourceServer } from '@/lib/edges/oauth/engine/api-resources'
import { oauthEngine } from '@/lib/edges/oauth/engine/provider'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { findApi } from '@/lib/features/resources/apis'
import { apis } from '../operations/apis'
import type { AppName } from '../operations/apps'
import type { Credential, CredentialKind } from '../operations/operation'
import { authorizationId, clients, scope, userId, usersCount } from './population'

/**
 * The PKCE verifier of the authorization codes: BENCH_VERIFIER, or else the example from RFC 7636, appendix
 * B.
 */
const verifier = process.env.BENCH_VERIFIER ?? 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/**
 * The maximum number of tokens and codes that are written concurrently, enough to keep all database
 * connections busy.
 */
const LANES = 20

/**
 * The age in seconds of a refresh token that is near the end of its lifetime of 365 days (`LIFE`). A refresh
 * replaces a web app's token only if at least 70 % of the lifetime has passed.
 */
const OLD = 300 * 86_400
const LIFE = 365 * 86_400

/**
 * Creates credentials of one kind: sessions, tokens, or codes. Tokens and codes are stored through
 * oidc-provider's models. Device codes belong to no user. Each other credential belongs to a different user
 * until there are more credentials than users.
 * @param redirectUri the redirect URI for authorization codes
 */
export async function mintCredentials(
  kind: CredentialKind,
  count: number,
  app: AppName,
  redirectUri: string,
): Promise<Credential[]> {
  const { provider } = await oauthEngine()
  if (kind === 'session') return signIn(count)
  const client = await provider.Client.find(clients[app].id)
  if (!client) throw new Error('The benchmark’s client was not found.')
  const challenge = await s256(verifier)
  const api = await findApi(apis.opaque.identifier)
  if (!api) throw new Error('The benchmark’s API was not found.')
  const { ResourceServer } = provider as unknown as {
    ResourceServer: new (name: string, info: object) => Extra['server']
  }
  const server = new ResourceServer(api.identifier, apiResourceServer(api))
  const makeOne = async (i: number): Promise<Credential> => {
    const n = 1 + (i % usersCount)
    const common = {
      client,
      accountId: userId(n),
      grantId: authorizationId(n, app),
      scope,
      gty: 'authorization_code',
      claims: {},
      authTime: Math.floor(Date.now() / 1000),
    }
    const value = await modelOf(provider, kind, common, { redirectUri, challenge, i, server }).save()
    return kind === 'code' ? { value, verifier } : { value }
  }
  const made: Credential[] = []
  while (made.length < count) {
    const batch = Array.from({ length: Math.min(LANES, count - made.length) }, (_, i) => made.length + i)
    made.push(...(await Promise.all(batch.map(makeOne))))
  }
  return made
}

/** Creates browser sessions in the same way as the sign-in form, and returns their cookies. */
const signIn = (count: number): Promise<Credential[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const sub = userId(1 + (i % usersCount))
      const cookie = await sessionCookie({ sub, sid: await startSession({}, sub, ['pwd']) })
      return { value: cookie.split(';')[0] as string }
    }),
  )

type Extra = {
  redirectUri: string
  challenge: string
  i: number
  server: InstanceType<Provider['AccessToken']>['resourceServer']
}

function modelOf(
  provider: Provider,
  kind: Exclude<CredentialKind, 'session'>,
  common: { authTime: number },
  extra: Extra,
): { save: () => Promise<string> } {
  const code = { redirectUri: extra.redirectUri, codeChallenge: extra.challenge, codeChallengeMethod: 'S256' }
  const device = { params: { scope }, userCode: `BENCH-${process.pid}-${extra.i}`, deviceInfo: {} }
  const iat = common.authTime - OLD
  const old = { authTime: iat, iat, iiat: iat, exp: iat + LIFE }
  const made = {
    refresh: () => new provider.RefreshToken(common as never),
    'refresh-near-its-end': () => new provider.RefreshToken({ ...common, ...old } as never),
    access: () => new provider.AccessToken(common as never),
    'refresh-for-api': () =>
      new provider.RefreshToken({
        ...common,
        scope: `openid offline_access ${apis.jwt.scope}`,
        resource: apis.jwt.identifier,
      } as never),
    'access-for-api': () => {
      const token = new provider.AccessToken({ ...common, scope: apis.opaque.scope } as never)
      token.resourceServer = extra.server
      return token
    },
    code: () => new provider.AuthorizationCode({ ...common, ...code } as never),
    // No user has approved the device yet, so the code belongs to no user.
    device: () =>
      new provider.DeviceCode({ ...common, accountId: undefined, grantId: undefined, ...device } as never),
  }[kind]()
  return made as never
}

async function s256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(hash).toString('base64url')
}
