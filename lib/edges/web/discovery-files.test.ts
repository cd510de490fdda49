import { expect, it } from 'vitest'
import { answerChangePassword, answerLlms, answerMcpServer, answerSecurity } from './discovery-files'

const settings = {
  BASE_URL: 'https://id.example',
  serviceName: 'Example ID',
  helpUrl: 'https://help.example/',
}

it('/llms.txt links to the metadata, the docs, and the schema with absolute URLs', async () => {
  const answer = answerLlms(settings)
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  const body = await answer.text()
  expect(body).toMatch(/^# Example ID\n/)
  expect(body).toContain('https://id.example/.well-known/oauth-authorization-server')
  expect(body).toContain('(https://id.example/docs/agents.md): ')
  expect(body).toContain('https://id.example/schema.graphql')
})

it('/mcp/server.json lists the server under the reversed host name', async () => {
  expect(await answerMcpServer(settings).json()).toMatchObject({
    name: 'example.id/mcp',
    title: 'Example ID',
    version: '2.0.0',
    remotes: [{ type: 'streamable-http', url: 'https://id.example/mcp' }],
  })
})

it('security.txt contains the help page as the contact, or the instance’s URL if no help page is configured', async () => {
  const body = await answerSecurity(settings, new Date('2026-11-22T00:00:00Z')).text()
  expect(body).toBe(
    'Contact: https://help.example/\nExpires: 2027-02-20T00:00:00.000Z\nCanonical: https://id.example/.well-known/security.txt\n',
  )
  expect(await answerSecurity({ ...settings, helpUrl: '/docs#help' }).text()).toContain(
    'Contact: https://id.example/docs#help\n',
  )
  const byDefault = answerSecurity({ ...settings, helpUrl: undefined })
  expect(byDefault.status).toBe(200)
  expect(await byDefault.text()).toMatch(/^Contact: https:\/\/id\.example\/\nExpires: \d{4}-.*Z\nCanonical: /)
})

it('/.well-known/change-password redirects to the page for changing the password', () => {
  const answer = answerChangePassword()
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account/security'])
})
