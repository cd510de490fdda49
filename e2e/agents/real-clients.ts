import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { letAgentIn } from '../clients/agent'
import { decide } from '../clients/consent'
import { expect, test } from '../support/test'
import { newNode, programAt, type Running, runProgram } from './run-program'

/** Programs that people run, unmodified, each from nothing but the address to a tool's answer. Run by `npm run test:agents`. */

/** Opens what a program asks its person to open, and lets it in. */
async function letIn(page: Page, program: Running) {
  const asked = await Promise.race([program.asks, program.answer])
  await page.goto(asked)
  await decide(page, { workspaces: ['Acme'] })
}

test('the Inspector’s command line', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const args = ['--cli', `${baseURL}/mcp`, '--method', 'tools/call', '--tool-name', 'list_workspaces']
  const program = runProgram(newNode(), [
    programAt('.bin/mcp-inspector'),
    ...args,
    ...[
      '--format',
      'json',
      '--callback-url',
      'http://127.0.0.1:44276/oauth/callback',
      '--connect-timeout',
      '0',
    ],
  ])
  await letIn(page, program)
  const answer = await program.answer
  expect(answer).toContain('Acme')
})

test('mcp-remote, which lends its sign-in to clients without one', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const program = runProgram(newNode(), [programAt('.bin/mcp-remote-client'), `${baseURL}/mcp`, '44334'])
  await letIn(page, program)
  // It keeps standard output for those whom it lends its sign-in to.
  expect(await program.account).toContain('list_workspaces')
})

test('the official Python SDK', async ({ page, signIn, baseURL }) => {
  const python = process.env.AGENT_PYTHON
  test.skip(!python, 'there is no Python with venv and pip here')
  await signIn('ada')
  const program = runProgram(String(python), [`${import.meta.dirname}/python_client.py`, `${baseURL}/mcp`])
  await letIn(page, program)
  expect(await program.answer).toContain('"name":"Acme"')
})

/**
 * The scenarios that are about any server. The others call tools, resources and prompts of a server made for them, or what
 * this one does not have: logging, completion, subscriptions, events while a tool runs.
 */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]

test('the protocol’s conformance suite', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const agent = await letAgentIn(page, baseURL, {
    name: 'Conformance',
    scope: 'openid workspace:viewer',
    workspace: 'Acme',
  })
  const { address, close } = await withToken(`${baseURL}/mcp`, agent.token)
  for (const scenario of scenarios) {
    const program = runProgram(newNode(), [
      programAt('@modelcontextprotocol/conformance/dist/index.js'),
      ...['server', '--url', address, '--scenario', scenario],
    ])
    expect(await program.answer, scenario).toMatch(/0 failed/)
  }
  await close()
})

/** The suite sends no token: this puts one on what it asks, and passes everything else on as it is. */
async function withToken(target: string, token: string): Promise<{ address: string; close: () => void }> {
  const server: Server = createServer(async (req, res) => {
    const body: Buffer[] = []
    for await (const chunk of req) body.push(chunk as Buffer)
    const { host, connection, 'content-length': _length, ...headers } = req.headers
    // A name that was rebound comes with the page's own host and origin, as the browser sends them.
    const foreign = host !== `localhost:${(server.address() as AddressInfo).port}`
    const answer = await fetch(target, {
      method: req.method ?? 'GET',
      headers: {
        ...(headers as Record<string, string>),
        ...(foreign ? { origin: `http://${host}` } : {}),
        authorization: `Bearer ${token}`,
      },
      ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
    })
    const { 'content-encoding': _encoding, ...told } = Object.fromEntries(answer.headers)
    res.writeHead(answer.status, told).end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://localhost:${port}/mcp`, close: () => server.close() }
}
