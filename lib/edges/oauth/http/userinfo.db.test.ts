import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import {
  type Cases,
  everyScope,
  formType,
  me,
  revoke,
  secondsAgo,
  startComparedReads,
  tokenLike,
} from '@/lib/testing/compared-reads'
import { countStatements } from '@/lib/testing/count-statements'
import { makeUser } from '@/lib/testing/factories'
import { sendRaw } from '@/lib/testing/raw-request'

/** Compares /oauth/me with and without oidc-provider: status, headers, and body must be identical. */

const { product, owner, cli, ofWeb, ofCli, tokenOf, tokenOfOther, compare } = await startComparedReads()

const fastUserinfo: Cases = {
  'a web app’s token': () => me(ofWeb.token),
  'a public app’s token': () => me(ofCli.token),
  'a lowercase scheme': () => ({
    path: '/oauth/me',
    headers: { authorization: `bearer ${ofCli.token}` },
  }),
  'a browser’s Accept': () => me(ofWeb.token, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }),
  'additional cookies': () => me(ofWeb.token, { cookie: 'latchkey_oauth=x; other=y' }),
  'a token with only openid': async () => me(await tokenLike(ofWeb, { scope: 'openid' })),
  'a token with openid and email': async () => me(await tokenLike(ofWeb, { scope: 'openid email' })),
  'a token with profile and openid': async () => me(await tokenLike(ofWeb, { scope: 'profile openid' })),
  'a scope that the authorization has lost': async () =>
    me(await tokenOf(await makeUser(), { scope: everyScope }, ['email', 'openid'])),
  'a scope that does not exist': async () => me(await tokenLike(ofWeb, { scope: 'openid nonsense' })),
  'a user with a picture and an unconfirmed email address': async () => {
    const user = await makeUser({ name: 'Ünïcode „Name“ \u2028' })
    await prisma().user.update({
      where: { id: user.id },
      data: { avatarUrl: 'https://images.example.test/a.png', emailVerifiedAt: null },
    })
    return me(await tokenOf(user))
  },
  'a token for the whole service': async () => me(await tokenLike(ofWeb, { aud: product.url })),
  'a client that registered itself': async () => me(await tokenOfOther('DYNAMIC', 'dyn_usual')),
  'a metadata-document client': async () =>
    me(await tokenOfOther('METADATA_DOCUMENT', 'https://agent.example.test/client.json')),
}

const delegatedUserinfo: Cases = {
  'no token': () => ({ path: '/oauth/me' }),
  'an unknown token': () => me(mintCredential('accessToken')),
  'a mistyped token': () => me(`${ofWeb.token}x`),
  'a refresh token': async () => me(await tokenLike(ofWeb, {}, { model: 'RefreshToken' })),
  'two spaces in the header': () => ({
    path: '/oauth/me',
    headers: { authorization: `Bearer  ${ofWeb.token}` },
  }),
  'another scheme': () => ({ path: '/oauth/me', headers: { authorization: `Token ${ofWeb.token}` } }),
  'the DPoP scheme without a proof': () => ({
    path: '/oauth/me',
    headers: { authorization: `DPoP ${ofWeb.token}` },
  }),
  'an invalid proof': () => me(ofWeb.token, { dpop: 'nonsense' }),
  'a bound token without a proof': async () => me(await tokenLike(ofWeb, { jkt: 'thumbprint' })),
  'a token without openid': async () => me(await tokenLike(ofWeb, { scope: 'email profile' })),
  'a token without any scope': async () => me(await tokenLike(ofWeb, { scope: undefined })),
  'an authorization without openid': async () => me(await tokenOf(await makeUser(), {}, ['email'])),
  'another resource’s token': async () => me(await tokenLike(ofWeb, { aud: `${product.url}/graphql/v2` })),
  'a token for two resources': async () =>
    me(await tokenLike(ofWeb, { aud: [product.url, 'https://x.test'] })),
  'a token that expired just now': async () => me(await tokenLike(ofWeb, { exp: secondsAgo(5) })),
  'a token that expired long ago': async () => me(await tokenLike(ofWeb, { exp: secondsAgo(500) })),
  'an expiry that is not a number': async () => me(await tokenLike(ofWeb, { exp: 'never' })),
  'a token in a structured format': async () => me(await tokenLike(ofWeb, { format: 'jwt' })),
  'a token that is consumed like a code': async () =>
    me(await tokenLike(ofWeb, {}, { consumedAt: new Date() })),
  'claims requested by name': async () =>
    me(await tokenLike(ofWeb, { claims: { userinfo: { email: null } } })),
  'a token of an ended browser session': async () =>
    me(await tokenLike(ofWeb, { expiresWithSession: true, sessionUid: 'gone' })),
  'another user’s authorization': async () =>
    me(await tokenLike(ofWeb, { accountId: (await makeUser()).id })),
  'another client’s authorization': async () => me(await tokenLike(ofWeb, { clientId: cli.clientId })),
  'no authorization': async () => me(await tokenLike(ofWeb, {}, { authorizationId: null })),
  'a revoked authorization': async () => {
    const token = await tokenOf(await makeUser())
    await sendRaw(product.url, me(token))
    await revoke(token)
    return me(token)
  },
  'a suspended user': async () => {
    const user = await makeUser()
    const token = await tokenOf(user)
    await sendRaw(product.url, me(token))
    await prisma().user.update({ where: { id: user.id }, data: { suspendedAt: new Date() } })
    return me(token)
  },
  'a disabled app': async () => {
    const token = await tokenOfOther('DYNAMIC', 'dyn_disabled')
    await sendRaw(product.url, me(token))
    await prisma().oAuthClient.update({ where: { id: 'dyn_disabled' }, data: { disabledAt: new Date() } })
    return me(token)
  },
  'a POST request': () => ({ ...me(ofWeb.token), method: 'POST' }),
  'a POST request with the token in the form': () => ({
    method: 'POST',
    path: '/oauth/me',
    headers: formType,
    body: `access_token=${ofWeb.token}`,
  }),
  'a POST request with the token in the header and the form': () => ({
    ...me(ofWeb.token, formType),
    method: 'POST',
    body: `access_token=${ofWeb.token}`,
  }),
  'a HEAD request': () => ({ ...me(ofWeb.token), method: 'HEAD' }),
  'a preflight': () => ({
    method: 'OPTIONS',
    path: '/oauth/me',
    headers: { origin: 'https://app.example.test', 'access-control-request-method': 'GET' },
  }),
  'a request from a page': () => me(ofWeb.token, { origin: 'https://app.example.test' }),
  'a request from a page without an origin': () => me(ofWeb.token, { origin: 'null' }),
  'a token in the URL': () => ({ path: `/oauth/me?access_token=${ofWeb.token}` }),
  'a request for fewer scopes': () => ({ ...me(ofWeb.token), path: '/oauth/me?scope=openid' }),
  'a request for more scopes': () => ({ ...me(ofWeb.token), path: '/oauth/me?scope=openid%20admin' }),
}

it.each(Object.entries(fastUserinfo))(
  'the server answers /oauth/me like oidc-provider, but without calling it: %s',
  async (_name, make) => {
    const { expected, actual, withoutEngine } = await compare(await make())
    expect(actual).toEqual(expected)
    expect({ withoutEngine, status: actual.status }).toEqual({ withoutEngine: true, status: 200 })
  },
)

it.each(Object.entries(delegatedUserinfo))(
  'the server leaves /oauth/me to oidc-provider: %s',
  async (_name, make) => {
    const { expected, actual, withoutEngine } = await compare(await make())
    expect(actual).toEqual(expected)
    expect(withoutEngine).toBe(false)
  },
)

it('the server leaves signed /oauth/me responses to oidc-provider', async () => {
  const metadata = { userinfo_signed_response_alg: 'ES256' }
  const request = me(await tokenOfOther('DYNAMIC', 'dyn_signed', metadata))
  const { expected, actual, withoutEngine } = await compare(request)
  expect(withoutEngine).toBe(false)
  expect(actual.headers).toEqual(expected.headers)
  expect(decodeJwt(actual.body)).toMatchObject({ aud: 'dyn_signed', sub: owner.user.id })
})

it('/oauth/me returns the expected claims, not just the same ones as oidc-provider', async () => {
  const { actual } = await compare(me(ofWeb.token))
  expect(JSON.parse(actual.body)).toEqual({
    sub: owner.user.id,
    email: owner.user.email,
    email_verified: true,
    name: owner.user.name,
  })
})

it.each([
  ['a valid token', () => me(ofWeb.token)],
  ['an unknown token', () => me(mintCredential('accessToken'))],
])('a request to /oauth/me with %s runs exactly one SQL statement', async (_name, make) => {
  const { statements } = await countStatements(() => sendRaw(product.url, make()))
  expect(statements).toHaveLength(1)
})
