import { describe, expect, it } from 'vitest'
import { redirectUriMatches } from './redirect-uris'

const native = { clientId: 'lk_app_cli', native: true }
const agent = { clientId: 'dyn_agent', native: true }

describe('a loopback URI registered without a port', () => {
  const matches = (uri: string) => redirectUriMatches(native, ['http://127.0.0.1/callback'], uri)

  it.each(['http://127.0.0.1/callback', 'http://127.0.0.1:1/callback', 'http://127.0.0.1:65535/callback'])(
    'matches %s',
    (uri) => expect(matches(uri)).toBe(true),
  )

  it.each([
    'http://localhost:7777/callback',
    'http://[::1]:7777/callback',
    'https://127.0.0.1:7777/callback',
    'HTTP://127.0.0.1:7777/callback',
    'http://127.1:7777/callback',
    'http://0x7f000001:7777/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:7777@evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://user@127.0.0.1:7777/callback',
    'http://127.0.0.1:7777\\@evil.example/callback',
    'http://127.0.0.1:7777/callback/',
    'http://127.0.0.1:7777/Callback',
    'http://127.0.0.1:7777/x/../callback',
    'http://127.0.0.1:7777/%63allback',
    'http://127.0.0.1:7777/callback?x=1',
    'http://127.0.0.1:7777/callback#x',
  ])('does not match %s', (uri) => expect(matches(uri)).toBe(false))
})

it('redirectUriMatches requires the registered port if the app’s settings contain a loopback URI with a port', () => {
  const registered = ['http://127.0.0.1:7777/callback']
  expect(redirectUriMatches(native, registered, 'http://127.0.0.1:7777/callback')).toBe(true)
  expect(redirectUriMatches(native, registered, 'http://127.0.0.1:7778/callback')).toBe(false)
})

it('redirectUriMatches lets a self-registered client vary only the port of a loopback URI', () => {
  const registered = ['http://localhost:7777/callback', 'https://agent.example:8443/callback']
  expect(redirectUriMatches(agent, registered, 'http://localhost:1234/callback')).toBe(true)
  expect(redirectUriMatches(agent, registered, 'http://127.0.0.1:1234/callback')).toBe(false)
  expect(redirectUriMatches(agent, registered, 'https://agent.example:1234/callback')).toBe(false)
})
