// An agent that needs only a URL as its configuration, built on the official MCP client library. The agent
// signs the user in and calls three tools. The second tool needs another scope, and the third deletes a
// project, which can require approval. npm run example:agent connects to http://localhost:3000/mcp npm run
// example:agent -- https://api.example.com/mcp
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { openBrowser } from './open-browser.mjs'
import { SignIn } from './sign-in.mjs'

const address = new URL(process.argv[2] ?? 'http://localhost:3000/mcp')
const step = (text) => console.log(`- ${text}`)

const signIn = await SignIn.start((url) => {
  step(`Waiting for the user’s decision. Open ${url}`)
  openBrowser(url)
})
const { client, transport } = await connect()
step(`Connected to ${client.getServerVersion().title}, with the scopes ${signIn.tokens().scope}`)

const { tools } = await client.listTools()
step(`${tools.length} tools, ${tools.filter(needsMore).length} of which need another scope`)

const { me } = await call('list_workspaces')
step(`Shared workspaces: ${me.workspaces.map(({ name }) => name).join(', ')}`)

const [workspace] = me.workspaces
const { projectCreate: project } = await call('create_project', {
  workspaceId: workspace.id,
  name: `Created by an agent ${Date.now()}`,
})
step(`Created the project ${project.name} in ${workspace.name}`)

step(
  (await remove(project))
    ? `Deleted ${project.name}`
    : `The user denied the request, so ${project.name} remains`,
)
await client.close()
signIn.stop()

/**
 * Connects to the server. If the server requires a token, waits until the user has signed in and connects
 * again.
 */
async function connect() {
  for (;;) {
    const transport = new StreamableHTTPClientTransport(address, { authProvider: signIn })
    const client = new Client(
      { name: 'example-agent', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
    )
    client.setRequestHandler('elicitation/create', ({ params }) => askForApproval(params.url))
    try {
      await client.connect(transport)
      return { client, transport }
    } catch (error) {
      await waitForToken(error, transport)
    }
  }
}

/**
 * Calls a tool and returns its result. If the tool needs another scope, waits for the user's decision on the
 * consent page and calls the tool again.
 * @throws Error if the tool returns an error
 */
async function call(name, input = {}) {
  const result = await attempt(name, input)
  if (result.isError) throw new Error(result.content[0].text)
  return result.structuredContent
}

async function attempt(name, input) {
  for (;;) {
    try {
      return await client.callTool({ name, arguments: input })
    } catch (error) {
      await waitForToken(error, transport)
    }
  }
}

/**
 * Deletes a project. If the deletion requires approval, calls the tool again until the user has decided.
 * @returns true after the deletion, or false if the user denied it
 */
async function remove({ id }) {
  for (;;) {
    const { isError, content } = await attempt('delete_project', { id })
    if (!isError) return true
    const { text } = content[0]
    if (text.startsWith('FORBIDDEN') && text.includes('"denied"')) return false
    if (!text.startsWith('APPROVAL_REQUIRED')) throw new Error(text)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
}

/**
 * Opens the approval page for the user. Opens each URL only once, because the server sends the same URL again
 * for each attempt until the user has decided.
 */
function askForApproval(url) {
  if (askForApproval.opened !== url) {
    step(`This action requires the user’s approval. Open ${url}`)
    openBrowser(url)
  }
  askForApproval.opened = url
  return { action: 'accept' }
}

/**
 * If the error means that a token or scope is missing, waits for the user's decision and receives a new
 * token.
 * @throws any other error
 */
async function waitForToken(error, transport) {
  if (!(error instanceof UnauthorizedError)) {
    if (error.cause?.code === 'ECONNREFUSED')
      console.error(`${address} does not respond. Start the server first.`)
    throw error
  }
  await transport.finishAuth(await signIn.answer())
  step('Received a new token')
}

function needsMore({ _meta }) {
  return _meta?.['latchkey/takes'] !== undefined
}
