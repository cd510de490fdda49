import { jsString } from './quote'
import { overHttp, type SnippetValues } from './values'

/** A command-line tool that signs in by device flow; a test runs it. */
export const deviceFlowSnippet = (values: SnippetValues): string => `import * as oidc from 'openid-client'

const config = await oidc.discovery(
  new URL(${jsString(`${values.baseUrl}/oauth`)}),
  ${jsString(values.clientId)},
  undefined,
  oidc.None(),
${overHttp(values, '  ')})

const device = await oidc.initiateDeviceAuthorization(config, {
  scope: 'openid email offline_access project:viewer',
})
console.log(\`Open \${device.verification_uri} and enter \${device.user_code}\`)
console.log(\`or open \${device.verification_uri_complete}\`)

// Waits and asks again as the server says, until the person has decided.
const tokens = await oidc.pollDeviceAuthorizationGrant(config, device)
const person = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
console.log(\`Signed in as \${person.email}\`)
`
