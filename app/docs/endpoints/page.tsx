import type { Metadata } from 'next'
import { FactsTable } from '@/components/docs/facts-table'
import { Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { config } from '@/lib/base/config/env'
import { issuer, metadataRoute, routes } from '@/lib/edges/oauth/protocol/routes'

export const metadata: Metadata = { title: 'Endpoints' }

type Endpoint = [what: string, address: string, standard: string]

function endpoints(): Endpoint[] {
  const at = (route: keyof typeof routes) => issuer() + routes[route]
  return [
    ['Issuer', issuer(), 'OpenID Connect Core 2'],
    ['Discovery', issuer() + metadataRoute, 'OpenID Connect Discovery 4'],
    ['Authorization', at('authorization'), 'RFC 6749, section 3.1'],
    ['Token', at('token'), 'RFC 6749, section 3.2'],
    ['Signing keys (JWKS)', at('jwks'), 'RFC 7517'],
    ['UserInfo', at('userinfo'), 'OpenID Connect Core 5.3'],
    ['Pushed requests', at('pushed_authorization_request'), 'RFC 9126'],
    ['Device authorization', at('device_authorization'), 'RFC 8628'],
    ['Introspection', at('introspection'), 'RFC 7662'],
    ['Revocation', at('revocation'), 'RFC 7009'],
    ['Sign-out', at('end_session'), 'OpenID Connect RP-Initiated Logout'],
    ['Registration', at('registration'), 'RFC 7591'],
  ]
}

export default function EndpointsPage() {
  const { BASE_URL } = config()
  return (
    <DocsArticle
      title="Endpoints"
      lead="Most libraries need only the issuer URL, because they discover the other endpoints."
    >
      <DocsSection id="oauth" title="OAuth and OpenID Connect">
        <FactsTable
          caption="OAuth and OpenID Connect"
          columns={['Endpoint', 'URL', 'Standard']}
          rows={endpoints().map(([what, address, standard]) => ({
            id: what.toLowerCase().replaceAll(/\W+/g, '-'),
            cells: [what, <Code key="address">{address}</Code>, standard],
          }))}
        />
      </DocsSection>
      <DocsSection id="api" title="API">
        <FactsTable
          caption="API"
          columns={['Resource', 'URL']}
          rows={[
            ['GraphQL', '/graphql/v2'],
            ['Agent tools (MCP)', '/mcp'],
            ['OpenAPI description', '/openapi.json'],
            ['GraphQL schema', '/schema.graphql'],
            ['Entry for MCP server registries', '/mcp/server.json'],
            ['Index of the docs for agents', '/llms.txt'],
          ].map(([what, path]) => ({
            id: String(path).slice(1).replaceAll(/\W/g, '-'),
            cells: [what, <Code key="address">{BASE_URL + path}</Code>],
          }))}
        />
      </DocsSection>
      <DocsSection id="verify" title="Check a token">
        <P>
          An ID token is a JWT. Check its signature with the signing keys, and check that <Code>iss</Code> is
          the issuer, that <Code>aud</Code> is your client ID, and that it hasn’t expired. Every OpenID
          Connect library does this. An access token for the GraphQL API is opaque. To check it, use{' '}
          <TextAnchor href="/docs/tokens">introspection</TextAnchor>, or call the API with the token. Both
          take revocations into account immediately.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
