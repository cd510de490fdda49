import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { expect, test } from '../support/test'
import { startCallback } from './callback'
import { decide } from './consent'
import { type Projects, projectNames, query } from './query'

/** Storage for the data that an application must keep for the SDK. */
class KeptInMemory implements OAuthClientProvider {
  information: OAuthClientInformationMixed | undefined
  kept: OAuthTokens | undefined
  verifier = ''
  target: URL | undefined

  constructor(readonly redirectUrl: string) {}

  get clientMetadata() {
    return {
      client_name: 'Agent with the MCP SDK',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }
  clientInformation = () => this.information
  saveClientInformation = (information: OAuthClientInformationMixed) => {
    this.information = information
  }
  tokens = () => this.kept
  saveTokens = (tokens: OAuthTokens) => {
    this.kept = tokens
  }
  redirectToAuthorization = (target: URL) => {
    this.target = target
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
}

test('the MCP SDK connects to the GraphQL API with only its URL', async ({ page, signIn, baseURL }) => {
  const serverUrl = `${baseURL}/graphql/v2`
  const challenge = await fetch(serverUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ me { id } }' }),
  })
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(challenge)
  expect(resourceMetadataUrl?.href).toBe(`${baseURL}/.well-known/oauth-protected-resource/graphql/v2`)

  const callback = await startCallback()
  const agent = new KeptInMemory(callback.uri)
  expect(await auth(agent, { serverUrl, ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}) })).toBe(
    'REDIRECT',
  )

  await signIn('ada')
  await page.goto(String(agent.target))
  await expect(page.getByText('Agent with the MCP SDK').first()).toBeVisible()
  await decide(page, { workspaces: ['Acme'], projects: ['Orbit'] })
  const authorizationCode = (await callback.answer).searchParams.get('code') as string
  await callback.close()
  expect(await auth(agent, { serverUrl, authorizationCode })).toBe('AUTHORIZED')

  const data = await query<Projects>(
    baseURL,
    agent.kept?.access_token as string,
    '{ projects { edges { node { name } } } }',
  )
  // Agents in other tests create projects in Acme at the same time.
  expect(projectNames(data)).toEqual(expect.arrayContaining(['Orbit', 'Payments', 'Website']))
})

test('the MCP SDK requests the configured scopes and refreshes its tokens', async ({
  page,
  signIn,
  baseURL,
}) => {
  const serverUrl = `${baseURL}/graphql/v2`
  const callback = await startCallback('localhost')
  const agent = new KeptInMemory(callback.uri)
  const scope = 'openid email offline_access'
  expect(await auth(agent, { serverUrl, scope })).toBe('REDIRECT')
  await signIn('grace')
  await page.goto(String(agent.target))
  await decide(page)
  const authorizationCode = (await callback.answer).searchParams.get('code') as string
  await callback.close()
  await auth(agent, { serverUrl, authorizationCode, scope })
  const first = agent.kept
  expect(first?.refresh_token).toBeTruthy()

  expect(await auth(agent, { serverUrl, scope })).toBe('AUTHORIZED')
  expect(agent.kept?.access_token).not.toBe(first?.access_token)
  expect(await query(baseURL, agent.kept?.access_token as string, '{ me { email } }')).toEqual({
    me: { email: 'grace@example.com' },
  })
})
