import { describe, expect, it } from 'vitest'
import { seeOther } from './answers'
import { safeNext, signInPath } from './safe-next'

describe('safeNext', () => {
  it.each([
    '/',
    '/workspaces/acme?tab=members#top',
    '/oauth/auth?client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=%5C%0A',
    '/a%20b',
    '/login-with',
  ])('keeps the path %s', (path) => {
    expect(safeNext(path)).toBe(path)
  })

  it.each([
    ['/？evil', '/%EF%BC%9Fevil'],
    ['/\u2028', '/%E2%80%A8'],
    ['/\u202e?a=\u202e#\u202e', '/%E2%80%AE?a=%E2%80%AE#%E2%80%AE'],
    ['/é and ü', '/%C3%A9%20and%20%C3%BC'],
    ['/\ud800', '/%EF%BF%BD'],
    ['/%EF%BC%9F', '/%EF%BC%9F'],
  ])('encodes %j for use in a header', (value, path) => {
    expect(safeNext(value)).toBe(path)
    expect(seeOther(path).headers.get('location')).toBe(path)
    expect(seeOther(value).headers.get('location')).toBe(path)
  })

  it('returns / for a path that is too long after encoding', () => {
    expect(safeNext(`/${'？'.repeat(4000)}`)).toBe('/')
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%5Cevil.example',
    '/%2Fevil.example',
    '/%252Fevil.example',
    '/%2f%2fevil.example',
    '/\tevil.example',
    '/\n/evil.example',
    '/%0a/evil.example',
    '/%00',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    ' /login',
    '/%E0%A4%A',
    '/%2525252525252Fevil.example',
    '@evil.example',
    '/login',
    '/login?next=%2Flogin',
    '/signup/',
    '/logout',
    '',
    undefined,
    ['/a'],
    `/${'a'.repeat(9000)}`,
  ])('returns the fallback for %j', (value) => {
    expect(safeNext(value, '/home')).toBe('/home')
  })
})

describe('signInPath', () => {
  it('puts the whole path and query in one parameter', () => {
    const url = new URL(signInPath('/oauth/auth?a=1&b=2'), 'http://localhost')
    expect(url.searchParams.get('next')).toBe('/oauth/auth?a=1&b=2')
  })
})
