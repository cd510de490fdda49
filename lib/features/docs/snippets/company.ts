/** What an assertion says that a company's provider issues for this service. @param baseUrl the service's origin */
export const assertionClaimsSnippet = (
  baseUrl: string,
): string => `{ "alg": "ES256", "typ": "oauth-id-jag+jwt", "kid": "2026-11" }
.
{
  "iss": "https://login.example.com",
  "sub": "00u1abcd",
  "aud": "${baseUrl}/oauth",
  "client_id": "lk_app_...",
  "jti": "9e43f81b64a33f20116179",
  "iat": 1795420800,
  "exp": 1795421100,
  "email": "grace@example.com",
  "resource": "${baseUrl}/mcp",
  "scope": "workspace:member"
}`

/** How an app redeems it with its own credentials. @param baseUrl the service's origin */
export const redeemSnippet = (baseUrl: string): string =>
  `curl --fail --silent -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer \\
  -d "assertion=$ID_JAG" \\
  "${baseUrl}/oauth/token" | jq -r .access_token
`
