import type { Page } from '@playwright/test'
import { decide } from '../clients/consent'
import { expect, test } from '../support/test'
import { newNode, programAt, type Running, runProgram } from './run-program'

/**
 * Tests unmodified MCP clients that people use (`npm run test:agents`). Each client finds everything about
 * the server through the URL of /mcp. In each test, the user signs in and the client calls a tool.
 */

/** Opens the URL that a program prints, and authorizes the program for the workspace Acme. */
async function letIn(page: Page, program: Running) {
  const asked = await Promise.race([program.asks, program.answer])
  await page.goto(asked)
  await decide(page, { workspaces: ['Acme'] })
}

test('the MCP Inspector CLI signs in and calls a tool', async ({ page, signIn, baseURL }) => {
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

test('mcp-remote signs in for clients that cannot sign in themselves', async ({ page, signIn, baseURL }) => {
  await signIn('ada')
  const program = runProgram(newNode(), [programAt('.bin/mcp-remote-client'), `${baseURL}/mcp`, '44334'])
  await letIn(page, program)
  // mcp-remote logs to standard error, because its standard output contains only the messages to its own
  // client. `account` includes both.
  expect(await program.account).toContain('list_workspaces')
})

test('mcp-remote requests another scope when its client calls a write tool', async ({
  page,
  signIn,
  baseURL,
}) => {
  await signIn('ada')
  const program = runProgram(newNode(), [programAt('.bin/mcp-remote'), `${baseURL}/mcp`, '44335'])
  const send = (id: number | undefined, method: string, params: object) =>
    program.tell(JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params }))
  const call = (id: number, name: string, input: object) => send(id, 'tools/call', { name, arguments: input })
  const clientInfo = { name: 'test', version: '1' }
  send(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  await letIn(page, program)
  await program.prints('"id":1')
  send(undefined, 'notifications/initialized', {})
  call(2, 'list_workspaces', {})
  await program.prints('"name":"Acme"')
  // To delete a project, mcp-remote needs a scope that it did not request at the beginning. The server checks
  // the scopes before it looks for the project, so the project need not exist.
  call(3, 'delete_project', { id: '00000000-0000-4000-8000-000000000000' })
  const again = new URL(await Promise.race([program.asksAgain, program.answer]))
  expect(again.searchParams.get('scope')?.split(' ')).toEqual(
    expect.arrayContaining(['openid', 'profile', 'workspace:viewer', 'project:admin']),
  )
  await page.goto(again.href)
  await decide(page, { workspaces: ['Acme'] })
  await program.prints('"id":3')
  call(4, 'list_workspaces', {})
  await program.prints('"id":4')
  program.stop()
})

test('the official MCP Python SDK signs in, then requests another scope to create a project', async ({
  page,
  signIn,
  baseURL,
}) => {
  const python = process.env.AGENT_PYTHON
  test.skip(!python, 'This machine has no Python with venv and pip.')
  await signIn('ada')
  const name = `Python ${Date.now()}`
  const program = runProgram(String(python), [
    `${import.meta.dirname}/python_client.py`,
    `${baseURL}/mcp`,
    name,
  ])
  await letIn(page, program)
  const again = await Promise.race([program.asksAgain, program.answer])
  await page.goto(again)
  await decide(page, { workspaces: ['Acme'] })
  const answer = await program.answer
  expect(answer).toContain('"name":"Acme"')
  expect(answer).toContain(`"name":"${name}"`)
  expect(answer).toContain('"me":')
})
