import { expect, it } from 'vitest'
import { lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import {
  type Cases,
  everyScope,
  formType,
  revoke,
  secondsAgo,
  startComparedReads,
  stored,
  tokenLike,
} from '@/lib/testing/compared-reads'
import { countStatements } from '@/lib/testing/count-statements'
import { makeClient, makeUser } from '@/lib/testing/factories'
import { type RawRequest, sendRaw } from '@/lib/testing/raw-request'

/** Compares introspection with and without oidc-provider: status, headers, and body must be identical. */

const { product, owner, web, cli, ofWeb, ofCli, tokenOf, tokenOfOther, compare } = await startComparedReads()

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const ask = (fields: Record<string, string> | string, headers: object = {}): RawRequest => ({
  method: 'POST',
  path: '/oauth/token/introspection',
  headers: { ...formType, ...headers },
  body: new URLSearchParams(fields).toString(),
})
const asWeb = () => basic(web.clientId, String(web.secret))
const askAsWeb = (token: string, more: Record<string, string> = {}) => ask({ token, ...more }, asWeb())

const fastIntrospection: Cases = {
  'an app’s own token, with the secret in the header': () => askAsWeb(ofWeb.token),
  'an app’s own token, with the secret in the form': () =>
    ask({ token: ofWeb.token, client_id: web.clientId, client_secret: String(web.secret) }),
  'a client_id in the header and the form': () => askAsWeb(ofWeb.token, { client_id: web.clientId }),
  'a public app': () => ask({ token: ofCli.token, client_id: cli.clientId }),
  'a token type hint': () => askAsWeb(ofWeb.token, { token_type_hint: 'access_token' }),
  'a wrong token type hint': () => askAsWeb(ofWeb.token, { token_type_hint: 'refresh_token' }),
  'an unknown token type hint': () => askAsWeb(ofWeb.token, { token_type_hint: 'nonsense' }),
  'a form of several kilobytes': () => askAsWeb(ofWeb.token, { token_type_hint: 'x'.repeat(5_000) }),
  'a token with an audience': async () =>
    askAsWeb(await tokenLike(ofWeb, { aud: `${product.url}/graphql/v2` })),
  'a token without openid': async () => askAsWeb(await tokenLike(ofWeb, { scope: 'email' })),
  'the second of two secrets': async () => {
    const second = mintCredential('clientSecret')
    await prisma().oAuthClientSecret.create({
      data: { clientId: web.clientId, hash: stored(second), lastFour: lastFour(second) },
    })
    return ask({ token: ofWeb.token }, basic(web.clientId, second))
  },
  'a charset': () => askAsWebTyped(ofWeb.token, 'application/x-www-form-urlencoded; charset=utf-8'),
  'a charset as `fetch` sends it': () =>
    askAsWebTyped(ofWeb.token, 'application/x-www-form-urlencoded;charset=UTF-8'),
  'an Accept header for signed responses': () =>
    ask({ token: ofWeb.token }, { ...asWeb(), accept: 'application/token-introspection+jwt' }),
}

const delegatedIntrospection: Cases = {
  'an unknown token': () => askAsWeb(mintCredential('accessToken')),
  'text that is not a token': () => askAsWeb('nonsense'),
  'a structured token': () => askAsWeb('eyJhbGciOiJub25lIn0.e30.'),
  'no token': () => ask({}, asWeb()),
  'a refresh token': async () => askAsWeb(await tokenLike(ofWeb, {}, { model: 'RefreshToken' })),
  'another app’s token': () => askAsWeb(ofCli.token),
  'a request by another app': () => ask({ token: ofWeb.token, client_id: cli.clientId }),
  'a token that expired just now': async () => askAsWeb(await tokenLike(ofWeb, { exp: secondsAgo(5) })),
  'a token that expired long ago': async () => askAsWeb(await tokenLike(ofWeb, { exp: secondsAgo(500) })),
  'a token that is bound to a key': async () => askAsWeb(await tokenLike(ofWeb, { jkt: 'thumbprint' })),
  'a token with an unknown property': async () =>
    askAsWeb(await tokenLike(ofWeb, { extra: { note: 'text' } })),
  'a revoked authorization': async () => {
    const token = await tokenOf(await makeUser())
    await sendRaw(product.url, askAsWeb(token))
    await revoke(token)
    return askAsWeb(token)
  },
  'a suspended user': async () => {
    const user = await makeUser()
    const token = await tokenOf(user)
    await prisma().user.update({ where: { id: user.id }, data: { suspendedAt: new Date() } })
    return askAsWeb(token)
  },
  'another user’s authorization': async () =>
    askAsWeb(await tokenLike(ofWeb, { accountId: (await makeUser()).id })),
  'a disabled app': async () => {
    const { client, secret } = await makeClient(owner.workspace)
    await prisma().oAuthClient.update({ where: { id: client.id }, data: { disabledAt: new Date() } })
    return ask({ token: ofWeb.token }, basic(client.id, String(secret)))
  },
  'a metadata-document client': async () => {
    const id = 'https://127.0.0.1/client.json'
    const token = await tokenOfOther('METADATA_DOCUMENT', id)
    return ask({ token, client_id: id })
  },
  'a wrong secret': () => ask({ token: ofWeb.token }, basic(web.clientId, 'wrong')),
  'a secret that was revoked': async () => {
    const { client, secret } = await makeClient(owner.workspace)
    await prisma().oAuthClientSecret.deleteMany({ where: { clientId: client.id } })
    return ask({ token: ofWeb.token }, basic(client.id, String(secret)))
  },
  'an empty secret': () => ask({ token: ofWeb.token }, basic(web.clientId, '')),
  'no secret': () => ask({ token: ofWeb.token, client_id: web.clientId }),
  'a public app with a secret': () =>
    ask({ token: ofCli.token, client_id: cli.clientId, client_secret: 'any' }),
  'an unknown app': () => ask({ token: ofWeb.token }, basic('unknown', 'secret')),
  'no app': () => ask({ token: ofWeb.token }),
  'two authentication methods': () => ask({ token: ofWeb.token, client_secret: String(web.secret) }, asWeb()),
  'two apps': () => askAsWeb(ofWeb.token, { client_id: cli.clientId }),
  'a header that is not Basic': () => ask({ token: ofWeb.token }, { authorization: `Bearer ${ofWeb.token}` }),
  'a header that is not base64': () => ask({ token: ofWeb.token }, { authorization: 'Basic @@@@' }),
  'truncated base64': () =>
    ask({ token: ofWeb.token }, { authorization: `${asWeb().authorization.replace(/=+$/, '')}A` }),
  'an escaped ID': () =>
    ask({ token: ofWeb.token }, basic(web.clientId.replaceAll('-', '%2D'), String(web.secret))),
  'a repeated token parameter': () => ({
    ...askAsWeb(ofWeb.token),
    body: `token=${ofWeb.token}&token=${ofWeb.token}`,
  }),
  'an unknown parameter': () => askAsWeb(ofWeb.token, { resource: product.url }),
  JSON: () => ({
    ...ask({}, { ...asWeb(), 'content-type': 'application/json' }),
    body: JSON.stringify({ token: ofWeb.token }),
  }),
  'another charset': () =>
    askAsWebTyped(ofWeb.token, 'application/x-www-form-urlencoded; charset=iso-8859-1'),
  'no content type': () => ({ ...askAsWeb(ofWeb.token), headers: asWeb() }),
  'a long form': () => askAsWeb(ofWeb.token, { token_type_hint: 'x'.repeat(40_000) }),
  'a form without a length': () => ({
    ...askAsWeb(ofWeb.token),
    headers: { ...formType, ...asWeb(), 'transfer-encoding': 'chunked' },
  }),
  'a request from a page': () =>
    ask({ token: ofWeb.token }, { ...asWeb(), origin: 'https://app.example.test' }),
  'a request from a public app’s page': () =>
    ask({ token: ofCli.token, client_id: cli.clientId }, { origin: 'http://127.0.0.1:9999' }),
}

const askAsWebTyped = (token: string, type: string) => ask({ token }, { ...asWeb(), 'content-type': type })

it.each(Object.entries(fastIntrospection))(
  'the server answers introspection requests like oidc-provider, but without calling it: %s',
  async (_name, make) => {
    const { expected, actual, withoutEngine } = await compare(await make())
    expect(actual).toEqual(expected)
    expect({ withoutEngine, status: actual.status }).toEqual({ withoutEngine: true, status: 200 })
  },
)

it.each(Object.entries(delegatedIntrospection))(
  'the server leaves introspection requests to oidc-provider: %s',
  async (_name, make) => {
    const { expected, actual, withoutEngine } = await compare(await make())
    expect(actual).toEqual(expected)
    expect(withoutEngine).toBe(false)
  },
)

it('introspection returns the expected claims, not just the same ones as oidc-provider', async () => {
  const { actual } = await compare(askAsWeb(ofWeb.token))
  expect(JSON.parse(actual.body)).toMatchObject({
    active: true,
    sub: owner.user.id,
    client_id: web.clientId,
    scope: everyScope,
  })
})

it('the server answers an introspection request that arrives in several chunks', async () => {
  const { body, ...answer } = await sendRaw(product.url, { ...askAsWeb(ofWeb.token), pieces: 3 })
  expect({ ...answer, body: JSON.parse(body) }).toMatchObject({ status: 200, body: { active: true } })
})

it.each([
  ['a valid token', () => askAsWeb(ofWeb.token)],
  ['an unknown token', () => askAsWeb(mintCredential('accessToken'))],
  ['a wrong secret', () => ask({ token: ofWeb.token }, basic(web.clientId, 'wrong'))],
])('an introspection request with %s runs exactly one SQL statement', async (_name, make) => {
  const { statements } = await countStatements(() => sendRaw(product.url, make()))
  expect(statements).toHaveLength(1)
})
