import { scopeTable } from '@/lib/policy/scopes'
import type { Schema } from './types'

const scopes = Object.fromEntries(Object.entries(scopeTable).map(([name, { sentence }]) => [name, sentence]))

/** The ways to authenticate (docs/contract.md, sections 2 and 5). @param baseUrl the service's origin */
export const securitySchemes = (baseUrl: string): Record<string, Schema> => ({
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An account, workspace or project token, created in the account settings.',
  },
  oauth: {
    type: 'oauth2',
    description: 'An OAuth access token as a bearer token. PKCE with S256; see /docs.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}/oauth/auth`,
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes,
      },
    },
  },
  openIdConnect: {
    type: 'openIdConnect',
    openIdConnectUrl: `${baseUrl}/oauth/.well-known/openid-configuration`,
  },
  dpop: { type: 'http', scheme: 'DPoP', description: 'An access token bound to a key (RFC 9449).' },
  projectToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Project-Access-Token',
    description: 'A project token.',
  },
  clientBasic: { type: 'http', scheme: 'basic', description: 'Client id and client secret of a web app.' },
  registrationToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The registration access token of a dynamically registered client.',
  },
})
