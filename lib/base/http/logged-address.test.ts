import { afterEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { loggedAddress } from './logged-address'

afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

it.each([
  [undefined, '203.0.113.57', '203.0.113.0'],
  [undefined, '2001:db8:1234:5678::9', '2001:db8:1234::'],
  [undefined, undefined, undefined],
  ['whole', '203.0.113.57', '203.0.113.57'],
  ['none', '203.0.113.57', undefined],
])('with LOG_ADDRESSES=%s, %s is logged as %s', (setting, address, logged) => {
  vi.stubEnv('LOG_ADDRESSES', setting)
  resetConfig()
  expect(loggedAddress(address)).toBe(logged)
})
