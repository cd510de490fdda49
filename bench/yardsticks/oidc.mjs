// P1 and P2: bare oidc-provider on node:http, its store in memory (ADAPTER=memory) or behind Prisma (ADAPTER=prisma).
import http from 'node:http'
import { Provider } from 'oidc-provider'
import { base, challenge, client, person, port, signingKey, verifier, withMint } from './common.mjs'

const { adapter, findUser } =
  process.env.ADAPTER === 'prisma'
    ? await import('./prisma-adapter.mjs').then((m) => ({ adapter: m.PrismaAdapter, findUser: m.findUser }))
    : await import('./memory-adapter.mjs').then((m) => ({
        adapter: m.MemoryAdapter,
        findUser: async (id) => ({ id, email: `${id}@example.test`, name: 'User' }),
      }))

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const provider = new Provider(base, {
  adapter,
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [client.redirectUri],
      grant_types: ['authorization_code', 'refresh_token', deviceGrant],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  jwks: { keys: [{ ...signingKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'bench' }] },
  scopes: ['openid', 'offline_access', 'email', 'profile'],
  claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
  responseTypes: ['code'],
  cookies: { keys: ['bench'] },
  findAccount: async (_ctx, id) => {
    const user = await findUser(id)
    return user && { accountId: id, claims: async () => ({ sub: id, email: user.email, name: user.name }) }
  },
  rotateRefreshToken: true,
  issueRefreshToken: async () => true,
  features: {
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
  },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 600,
    DeviceCode: 600,
    RefreshToken: 86_400 * 30,
    IdToken: 3600,
  },
})
provider.on('server_error', (_ctx, error) => console.error(error))

// Made through the library's own models, each under a grant of its own.
async function mint({ kind, count }) {
  const registered = await provider.Client.find(client.id)
  const scope = 'openid offline_access email profile'
  const minted = []
  for (let i = 0; i < count; i++) {
    const accountId = person(1 + (i % 10_000))
    const grant = new provider.Grant({ accountId, clientId: client.id })
    grant.addOIDCScope(scope)
    const grantId = await grant.save()
    const authTime = Math.floor(Date.now() / 1000)
    const common = {
      accountId,
      client: registered,
      grantId,
      scope,
      gty: 'authorization_code',
      claims: {},
      authTime,
    }
    const model = {
      refresh: () => new provider.RefreshToken(common),
      access: () => new provider.AccessToken(common),
      'confidential-access': () => new provider.AccessToken(common),
      device: () =>
        new provider.DeviceCode({ client: registered, params: { scope }, userCode: `CODE${i}`, grantId }),
      code: () =>
        new provider.AuthorizationCode({
          ...common,
          redirectUri: client.redirectUri,
          codeChallenge: challenge,
          codeChallengeMethod: 'S256',
        }),
    }[kind]()
    minted.push({ value: await model.save(), verifier })
  }
  return minted
}

http.createServer(withMint(mint, provider.callback())).listen(port, '127.0.0.1')
