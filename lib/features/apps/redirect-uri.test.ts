import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { acceptsAnyPort, redirectUriProblem, redirectUriProblems } from './redirect-uri'

describe('redirectUriProblem', () => {
  it.each([
    ['WEB', 'https://app.example.com/callback'],
    ['WEB', 'https://app.example.com'],
    ['WEB', 'https://app.example.com:8443/cb?tenant=1'],
    ['WEB', 'http://localhost:3000/api/auth/callback'],
    ['WEB', 'http://127.0.0.1:3000/cb'],
    ['WEB', 'http://[::1]:3000/cb'],
    ['NATIVE', 'https://app.example.com/callback'],
    ['NATIVE', 'http://127.0.0.1/callback'],
    ['NATIVE', 'http://127.0.0.1:8976/callback'],
    ['NATIVE', 'http://[::1]/callback'],
    ['NATIVE', 'com.example.app:/callback'],
    ['NATIVE', 'com.example.app://callback'],
    ['NATIVE', 'cursor://anysphere.cursor-mcp/oauth/callback'],
    ['NATIVE', 'myapp://callback'],
    ['NATIVE', 'myapp:/callback'],
    ['NATIVE', 'electron-app://cb'],
    ['NATIVE', 'tauri://localhost'],
    ['NATIVE', 'httpie://callback'],
    ['NATIVE', 'exp://192.168.0.7:8081/--/auth'],
    ['WEB', 'https://app.example.com/cb?path=%2Fa&list[]=1'],
  ] as const)('accepts, for a %s app, the redirect URI %s', (type, uri) => {
    expect(redirectUriProblem(uri, type)).toBeUndefined()
  })

  it.each([
    ['WEB', 'http://app.example.com/cb', 'https'],
    ['NATIVE', 'http://app.example.com/cb', 'https'],
    ['NATIVE', 'http://127.0.0.1.evil.example/cb', 'https'],
    ['NATIVE', 'http://localhost:8976/callback', 'http://127.0.0.1:8976/callback'],
    ['NATIVE', 'http://LOCALHOST/callback', '127.0.0.1'],
    ['NATIVE', 'http://127.1/callback', '127.0.0.1'],
    ['NATIVE', 'http:127.0.0.1/callback', 'https'],
    ['WEB', 'https:app.example.com/cb', 'https://'],
    ['WEB', 'https://*.example.com/cb', 'wildcard'],
    ['WEB', 'https://app.example.com/cb#x', 'fragment'],
    ['WEB', 'https://app.example.com/cb#', 'fragment'],
    ['WEB', 'https://user:secret@app.example.com/cb', 'password'],
    ['WEB', 'com.example.app:/callback', 'native app'],
    ['WEB', 'myapp://callback', 'native app'],
    ['NATIVE', 'https://good.example\\.evil.example/', '%5C'],
    ['NATIVE', 'https://evil.example\\@good.example/', '%5C'],
    ['NATIVE', 'https://evil.example/"><script>', '%22'],
    ['NATIVE', 'https://evil.example/<b>', '%3C'],
    ['NATIVE', 'https://evil.example/a|b', '%7C'],
    ['NATIVE', 'https://evil.example/a^b', '%5E'],
    ['NATIVE', 'https://evil.example/a`b', '%60'],
    ['NATIVE', 'https://evil.example/{tenant}', '%7B'],
    ['NATIVE', 'myapp://call{back}', '%7B'],
    ['NATIVE', 'https://evil.example/%00', 'control character'],
    ['NATIVE', 'https://evil.example/%0d%0aSet-Cookie:x', 'control character'],
    ['NATIVE', 'https://evil.example/100%', 'hexadecimal'],
    ['NATIVE', 'https://evil.example/%zz', 'hexadecimal'],
    ['NATIVE', 'https://@evil.example/', 'password'],
    ['NATIVE', 'https://good.example@evil.example/', 'password'],
    ['NATIVE', 'myapp://good.example@evil/', 'password'],
    ['NATIVE', 'mailto:x@y', 'no app can register'],
    ['NATIVE', 'ms-word:ofe', 'no app can register'],
    ['NATIVE', 'chrome-extension://abc/cb', 'no app can register'],
    ['NATIVE', 'view-source:https://app.example.com', 'no app can register'],
    ['NATIVE', 'googlechromes://evil.example', 'no app can register'],
    ['NATIVE', 'x-safari-https://evil.example', 'no app can register'],
    ['NATIVE', 'web+evil://callback', 'no app can register'],
    ['NATIVE', 'tel:+123', 'no app can register'],
    ['NATIVE', 'sms:+123', 'no app can register'],
    ['NATIVE', 'javascript:alert(1)', 'no app can register'],
    ['NATIVE', 'JavaScript:alert(1)', 'no app can register'],
    ['WEB', 'javascript:alert(1)', 'no app can register'],
    ['NATIVE', 'data:text/html,x', 'no app can register'],
    ['NATIVE', 'file:///etc/passwd', 'no app can register'],
    ['NATIVE', 'vbscript:x', 'no app can register'],
    ['NATIVE', 'blob:https://app.example.com/1', 'no app can register'],
    ['NATIVE', 'intent://callback', 'no app can register'],
    ['WEB', '/callback', 'complete address'],
    ['WEB', 'app.example.com/callback', 'complete address'],
    ['WEB', 'https://', 'complete address'],
    ['WEB', 'https://app.example.com/ cb', 'spaces'],
    ['WEB', 'https://äpp.example.com/cb', 'characters'],
    ['WEB', `https://app.example.com/${'a'.repeat(1000)}`, 'longer'],
  ] as const)('rejects the URI of a %s app: %s, with a message that contains “%s”', (type, uri, words) => {
    expect(redirectUriProblem(uri, type)).toContain(words)
  })
})

it('redirectUriProblem rejects a URI of this instance', () => {
  expect(redirectUriProblem(`${config().BASE_URL}/logout`, 'WEB')).toContain('is an address of this instance')
})

it('redirectUriProblems reports all invalid URIs together', () => {
  const problems = redirectUriProblems(['http://a.example/', 'myapp://ok', 'javascript:1'], 'NATIVE')
  expect(problems).toEqual([
    expect.stringContaining('http://a.example/ must use https'),
    expect.stringContaining('javascript:1 uses javascript:'),
  ])
})

describe('acceptsAnyPort', () => {
  it('returns true only for loopback addresses without a port', () => {
    expect(acceptsAnyPort('http://127.0.0.1/callback')).toBe(true)
    expect(acceptsAnyPort('http://[::1]')).toBe(true)
    expect(acceptsAnyPort('http://127.0.0.1:80/callback')).toBe(false)
    expect(acceptsAnyPort('https://127.0.0.1/callback')).toBe(false)
    expect(acceptsAnyPort('http://127.0.0.1.evil.example/')).toBe(false)
  })
})
