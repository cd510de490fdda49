/** Asks for the installations of an app with its own credentials. @param baseUrl the service's origin */
export const listInstallationsSnippet = (baseUrl: string): string =>
  `TOKEN=$(curl --fail --silent -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials \\
  "${baseUrl}/oauth/token" | jq -r .access_token)

curl --fail --silent -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{ "query": "{ installations { nodes { resource workspaceId workspaceName scopes } } }" }' \\
  "${baseUrl}/graphql/v2"
`

/** A job that works for every workspace that installed the app, with openid-client. @param issuer the issuer identifier */
export const installationJobSnippet = (issuer: string, baseUrl: string): string =>
  `import * as oauth from 'openid-client'

const config = await oauth.discovery(new URL('${issuer}'), process.env.CLIENT_ID, process.env.CLIENT_SECRET)

async function ask(token, query) {
  const response = await fetch('${baseUrl}/graphql/v2', {
    method: 'POST',
    headers: { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return (await response.json()).data
}

const own = await oauth.clientCredentialsGrant(config)
const { installations } = await ask(own.access_token, '{ installations { nodes { resource workspaceName } } }')

for (const { resource, workspaceName } of installations.nodes) {
  const { access_token } = await oauth.clientCredentialsGrant(config, { resource })
  const { projects } = await ask(access_token, '{ projects { nodes { name } } }')
  console.log(workspaceName, projects.nodes.map(({ name }) => name))
}
`
