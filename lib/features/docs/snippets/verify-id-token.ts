import { jsString } from './quote'
import type { SnippetValues } from './values'

/** Verifies the id_token of a sign-in; docs/verify-tokens shows it, and a test runs it. */
export const verifyIdTokenSnippet = ({
  baseUrl,
  clientId,
}: SnippetValues): string => `import { createRemoteJWKSet, jwtVerify } from 'jose'

// Keeps the keys, and fetches them again when a token names one that it does not know.
const keys = createRemoteJWKSet(new URL(${jsString(`${baseUrl}/oauth/jwks`)}))

const { payload } = await jwtVerify(process.env.ID_TOKEN, keys, {
  issuer: ${jsString(`${baseUrl}/oauth`)},
  audience: ${jsString(clientId)},
  algorithms: ['RS256', 'ES256', 'EdDSA'],
})
if (payload.nonce !== process.env.NONCE) throw new Error('This id_token belongs to another sign-in.')
console.log(\`The account is \${payload.sub}\`)
`
