import { expect, it } from 'vitest'
import { agentClients } from './agents'
import { placeholders } from './values'

const clients = agentClients({ ...placeholders, baseUrl: 'https://id.example' })

it('agentClients uses the same URL for all clients, both in the text to copy and in the link to open', () => {
  for (const { name, copy } of clients)
    expect([name, copy.code]).toEqual([name, expect.stringContaining('https://id.example/mcp')])
  const opens = (name: string) => new URL(String(clients.find((each) => each.name === name)?.opens))
  const config = opens('Cursor').searchParams.get('config') as string
  expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({ url: 'https://id.example/mcp' })
  expect(JSON.parse(decodeURIComponent(opens('VS Code').search.slice(1)))).toEqual({
    name: 'latchkey',
    type: 'http',
    url: 'https://id.example/mcp',
  })
})
