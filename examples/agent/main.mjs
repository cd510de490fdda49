// An agent that knows nothing but one address and finds its own way in, with the official client of the Model Context Protocol:
// sign-in, a read, a write that takes more than it was allowed, and a deletion that requires approval.
//   npm run example:agent                     connects to http://localhost:3000/mcp
//   npm run example:agent -- https://api.example.com/mcp
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { openBrowser } from './open-browser.mjs'
import { SignIn } from './sign-in.mjs'

const address = new URL(process.argv[2] ?? 'http://localhost:3000/mcp')
const step = (text) => console.log(`- ${text}`)

const signIn = await SignIn.start((url) => {
  step(`Asking a person. Open ${url}`)
  openBrowser(url)
})
const { client, transport } = await connect()
step(`Connected to ${client.getServerVersion().title}, with the scopes ${signIn.tokens().scope}`)

const { tools } = await client.listTools()
step(
  `It has ${tools.length} tools, of which ${tools.filter(takesMore).length} take a scope that is still missing`,
)

const { me } = await call('list_workspaces')
step(`The person shared: ${me.workspaces.map(({ name }) => name).join(', ')}`)

const [workspace] = me.workspaces
const { projectCreate: project } = await call('create_project', {
  workspaceId: workspace.id,
  name: `Made by an agent ${Date.now()}`,
})
step(`Made the project ${project.name} in ${workspace.name}`)

step((await remove(project)) ? `Deleted ${project.name}` : `The person said no, so ${project.name} stays`)
await client.close()
signIn.stop()

/** Connects, and signs in on the way where there is no token yet. */
async function connect() {
  for (;;) {
    const transport = new StreamableHTTPClientTransport(address, { authProvider: signIn })
    const client = new Client(
      { name: 'example-agent', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
    )
    client.setRequestHandler('elicitation/create', ({ params }) => lead(params.url))
    try {
      await client.connect(transport)
      return { client, transport }
    } catch (error) {
      await goOn(error, transport)
    }
  }
}

/** Calls a tool. One that takes more than the person allowed leads them through the consent page first. */
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
      await goOn(error, transport)
    }
  }
}

/** Deletes a project. If that requires approval, waits for the decision. @returns whether the user approved */
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

/** Leads the person to the page where they approve something, once: it is asked for again until they have answered. */
function lead(url) {
  if (lead.to !== url) step(`It takes the person's word. Open ${url}`)
  if (lead.to !== url) openBrowser(url)
  lead.to = url
  return { action: 'accept' }
}

/** After a refusal for want of a token or of a scope: waits until the person has decided. @throws whatever else it was */
async function goOn(error, transport) {
  if (!(error instanceof UnauthorizedError)) {
    if (error.cause?.code === 'ECONNREFUSED')
      console.error(`${address} does not answer. Start the service first.`)
    throw error
  }
  await transport.finishAuth(await signIn.answer())
  step('The person decided, and there is a new token')
}

function takesMore({ _meta }) {
  return _meta?.['latchkey/takes'] !== undefined
}
