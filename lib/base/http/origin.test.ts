import { describe, expect, it } from 'vitest'
import { isSameOrigin } from './origin'

const here = 'https://login.example'
const check = (headers: Record<string, string>) => isSameOrigin(new Headers(headers), here)

describe('isSameOrigin', () => {
  it('takes a form from the configured origin', () => {
    expect(check({ origin: here })).toBe(true)
  })

  it.each(['null', 'https://evil.example', 'http://login.example', 'https://login.example:8443'])(
    'refuses the origin %s, whatever else is sent',
    (origin) => {
      expect(check({ origin, 'sec-fetch-site': 'same-origin', referer: `${here}/login` })).toBe(false)
    },
  )

  it('falls back to Sec-Fetch-Site, then to Referer', () => {
    expect(check({ 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(check({ 'sec-fetch-site': 'cross-site', referer: `${here}/login` })).toBe(false)
    expect(check({ referer: `${here}/login` })).toBe(true)
    expect(check({ referer: 'https://login.example.evil.example/' })).toBe(false)
  })

  it('refuses a form that says nothing about where it comes from', () => {
    expect(check({})).toBe(false)
  })
})
