// P1 and P2: plain oidc-provider on node:http. P1 stores everything in memory. P2 (ADAPTER=prisma) uses
// PostgreSQL through Prisma.
import http from 'node:http'
import { Provider } from 'oidc-provider'
import {
  base,
  challenge,
  clients,
  port,
  redirectUri,
  signingKeys,
  user,
  verifier,
  withMint,
} from './common.mjs'

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
  clients: Object.values(clients).map(({ id, secret, algorithm }) => ({
    client_id: id,
    ...(secret ? { client_secret: secret } : {}),
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    response_types: ['code'],
    id_token_signed_response_alg: algorithm,
    token_endpoint_auth_method: secret ? 'client_secret_basic' : 'none',
  })),
  jwks: { keys: signingKeys },
  scopes: ['openid', 'offline_access', 'email', 'profile'],
  claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
  responseTypes: ['code'],
  cookies: { keys: ['bench'] },
  findAccount: async (_ctx, id) => {
    const user = await findUser(id)
    return user && { accountId: id, claims: async () => ({ sub: id, email: user.email, name: user.name }) }
  },
  // The same rule as in Latchkey: a public client's refresh token is replaced on every use. Other refresh
  // tokens are replaced after 70% of their lifetime.
  rotateRefreshToken: ({ oidc }) =>
    oidc.client.clientAuthMethod === 'none' || oidc.entities.RefreshToken.ttlPercentagePassed() >= 70,
  issueRefreshToken: async () => true,
  features: {
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true },
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    revocation: { enabled: true },
  },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 600,
    DeviceCode: 600,
    RefreshToken: 86_400 * 365,
    IdToken: 3600,
  },
})
provider.on('server_error', (_ctx, error) => console.error(error))

const scope = 'openid offline_access email profile'
const year = 365 * 86_400

/**
 * Creates one credential through the library's models for user number 1 + n % 10,000. Each credential has its
 * own grant.
 */
async function mintOne(kind, client, n) {
  const accountId = user(1 + (n % 10_000))
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope(scope)
  const grantId = await grant.save()
  const authTime = Math.floor(Date.now() / 1000)
  const common = { accountId, client, grantId, scope, gty: 'authorization_code', claims: {}, authTime }
  const iat = authTime - 300 * 86_400
  const code = { redirectUri, codeChallenge: challenge, codeChallengeMethod: 'S256' }
  const model = {
    refresh: () => new provider.RefreshToken(common),
    'refresh-near-its-end': () => new provider.RefreshToken({ ...common, iat, iiat: iat, exp: iat + year }),
    access: () => new provider.AccessToken(common),
    device: () => new provider.DeviceCode({ client, params: { scope }, userCode: `CODE${n}`, grantId }),
    code: () => new provider.AuthorizationCode({ ...common, ...code }),
  }[kind]()
  return { value: await model.save(), verifier }
}

let made = 0

async function mint({ kind, count, app }) {
  const client = await provider.Client.find(clients[app].id)
  const minted = []
  while (minted.length < count) {
    const batch = Array.from({ length: Math.min(10, count - minted.length) }, () => made++)
    minted.push(...(await Promise.all(batch.map((n) => mintOne(kind, client, n)))))
  }
  return minted
}

http.createServer(withMint(mint, provider.callback())).listen(port, '127.0.0.1')
