import { describe, expect, it } from 'vitest'
import { type Metadata, normalizeDocument, normalizeMetadata } from './client-metadata'

const normalized = (metadata: Metadata) => {
  normalizeMetadata(metadata)
  return metadata
}

describe('normalizeMetadata', () => {
  it('accepts the registrations of Cursor, Claude, and VS Code, and derives their application type', () => {
    const cursor = normalized({
      application_type: 'web',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      scope: 'claudeai',
    })
    expect(cursor).toMatchObject({
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
    })
    expect(cursor).not.toHaveProperty('scope')
    expect(
      normalized({ redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'] }),
    ).toHaveProperty('application_type', 'native')
    expect(
      normalized({ redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'] }),
    ).toHaveProperty('application_type', 'native')
    expect(normalized({ redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] })).toHaveProperty(
      'application_type',
      'web',
    )
  })

  it('accepts a device-only client without redirect URIs', () => {
    const grant = 'urn:ietf:params:oauth:grant-type:device_code'
    expect(normalized({ grant_types: [grant] })).toEqual({
      client_name: 'Unnamed app',
      grant_types: [grant, 'refresh_token'],
      response_types: [],
    })
  })

  it('removes unsupported grant types and response types', () => {
    expect(
      normalized({ grant_types: ['implicit', 'authorization_code'], response_types: ['token'] }),
    ).toMatchObject({ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] })
  })

  it('removes unprintable characters from a name, and replaces an empty or misleading name', () => {
    const named = (client_name: unknown, redirect_uris: string[]) =>
      normalized({ client_name, redirect_uris }).client_name
    expect(named(' Evil\n\u202eapp ', [])).toBe('Evil app')
    expect(named('Latchkey ✅ Verified', ['cursor://x', 'https://agent.example/cb'])).toBe('agent.example')
    expect(named('\u3164\u3164', ['http://127.0.0.1/cb'])).toBe('Unnamed app')
    expect(named(undefined, ['https://agent.example/cb'])).toBe('agent.example')
    const document: Metadata = { client_id: 'https://home.example/app.json', client_name: 'Lаtchkey' }
    normalizeDocument(document)
    expect(document.client_name).toBe('home.example')
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://app.example.com/callback',
    'https://app.example.com/#fragment',
    'mailto:x@y',
    'not a uri',
  ])('rejects the redirect URI %s', (uri) => {
    expect(() => normalizeMetadata({ redirect_uris: [uri] })).toThrow('invalid_redirect_uri')
  })

  it.each([
    'https://evil.example/"><script>',
    'http://localhost/<b>',
    'https://evil.example/%00',
    'https://good.example@evil.example/',
    'intent://x',
    'ms-word:ofe|u|http://x',
    'http://app.example.com/bye',
  ])('rejects %s as a redirect URI and as a post-logout redirect URI', (uri) => {
    expect(() => normalizeMetadata({ redirect_uris: [uri] })).toThrow('invalid_redirect_uri')
    const metadata = { redirect_uris: ['https://app.example/cb'], post_logout_redirect_uris: [uri] }
    expect(() => normalizeMetadata(metadata)).toThrow('invalid_client_metadata')
  })

  it('rejects a logo URL that does not use https', () => {
    const uris = { redirect_uris: ['https://app.example/cb'] }
    expect(() => normalizeMetadata({ ...uris, logo_uri: 'http://app.example/logo.png' })).toThrow(
      'invalid_client_metadata',
    )
    expect(() => normalizeMetadata({ ...uris, logo_uri: 'https://app.example/logo.png' })).not.toThrow()
  })

  it('accepts a redirect URI with a custom scheme that contains no dot', () => {
    expect(normalized({ redirect_uris: ['myapp://callback'] })).toHaveProperty('application_type', 'native')
  })

  it('names each invalid redirect URI in the error', () => {
    const uris = ['http://a.example/', 'https://fine.example/', 'data:x']
    const normalize = () => normalizeMetadata({ redirect_uris: uris })
    expect(normalize).toThrow(
      expect.objectContaining({ error_description: expect.stringMatching(/a\.example.*data:/) }),
    )
  })

  it('rejects more than ten redirect URIs', () => {
    const uris = (count: number) =>
      Array.from({ length: count }, (_, at) => `https://app.example.com/callback/${at}`)
    expect(() => normalizeMetadata({ redirect_uris: uris(10) })).not.toThrow()
    expect(() => normalizeMetadata({ redirect_uris: uris(11) })).toThrow('invalid_redirect_uri')
  })
})
