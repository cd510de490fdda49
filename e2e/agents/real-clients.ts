import type { Page } from '@playwright/test'
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
