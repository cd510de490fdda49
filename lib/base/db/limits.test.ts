import { expect, it } from 'vitest'
import { limitKey } from './limits'

it('limitKey returns the same key for all addresses in an IPv6 /64 network, and leaves other keys unchanged', () => {
  expect(limitKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(limitKey('2001:db8:1:2:ffff::1')).toBe('2001:db8:1:2::/64')
  expect(limitKey('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
  for (const other of ['192.0.2.1', 'unknown', '0199c8a2-0000-7000-8000-000000000000'])
    expect(limitKey(other)).toBe(other)
})
