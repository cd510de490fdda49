import type { SnippetValues } from './values'

/** The provider for next-auth 4; a test signs in with it. */
export const nextAuthSnippet = ({
  baseUrl,
  clientId,
  clientSecret,
}: SnippetValues): string => `export const provider = {
  id: 'latchkey',
  name: 'Latchkey',
  type: 'oauth',
  wellKnown: '${baseUrl}/oauth/.well-known/openid-configuration',
  clientId: '${clientId}',
  clientSecret: '${clientSecret}',
  authorization: { params: { scope: 'openid email profile' } },
  checks: ['pkce', 'state'],
  idToken: true,
  profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture }),
}
`
