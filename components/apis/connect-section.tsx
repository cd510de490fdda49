import { CodeBlock } from '../docs/code-block'
import { Section } from '../ui/card'
import { TextLink } from '../ui/link'
import { Stack } from '../ui/stack'
import { ValueField } from '../ui/value-field'

/**
 * Shows what developers of an API and its apps need: the API ID, endpoints, the metadata to publish, and an
 * example request.
 */
export function ConnectSection({
  api,
  endpoints,
}: {
  api: {
    id: string
    identifier: string
    name: string
    tokenFormat: 'OPAQUE' | 'JWT'
    scopes: { name: string }[]
  }
  /** URLs of this instance. */
  endpoints: { issuer: string; authorization: string; introspection: string; jwks: string }
}) {
  const scopes = api.scopes.map(({ name }) => name)
  const metadata = {
    resource: api.identifier,
    resource_name: api.name,
    authorization_servers: [endpoints.issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  }
  const request = new URLSearchParams({
    client_id: 'CLIENT_ID',
    response_type: 'code',
    redirect_uri: 'https://app.example.com/callback',
    resource: api.identifier,
    scope: `openid ${scopes[0]}`,
  })
  return (
    <Stack>
      <Section
        title="Connect your API"
        description={
          api.tokenFormat === 'JWT'
            ? 'Check the signature, typ (at+jwt), iss, aud, and exp of each token, or introspect it.'
            : 'Introspect each token with the API ID and a client secret.'
        }
      >
        <ValueField label="API ID" value={api.id} />
        <ValueField label="Introspection endpoint" value={endpoints.introspection} />
        <ValueField label="Issuer" value={endpoints.issuer} />
        <ValueField label="Key set" value={endpoints.jwks} />
      </Section>
      <Section
        title="Protected resource metadata"
        description={
          <>
            Publish this document at your API so that clients can find this instance (RFC 9728):{' '}
            <code>{metadataUrl(api.identifier)}</code>
          </>
        }
      >
        <CodeBlock
          title="oauth-protected-resource.json"
          language="json"
          code={JSON.stringify(metadata, null, 2)}
        />
      </Section>
      <Section
        title="Request a token"
        description={
          <>
            Apps add the <code>resource</code> parameter and the scopes to their usual authorization request.
            Consent, tokens, and errors work as <TextLink href="/docs/scopes">for other scopes</TextLink>.
          </>
        }
      >
        <CodeBlock
          title="Authorization request"
          language="text"
          code={`${endpoints.authorization}\n  ?${String(request).replaceAll('&', '\n  &')}`}
        />
      </Section>
    </Stack>
  )
}

/** Returns the URL of a resource's metadata (RFC 9728 section 3.1). */
function metadataUrl(identifier: string): string {
  const { origin, pathname, search } = new URL(identifier)
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}${search}`
}
