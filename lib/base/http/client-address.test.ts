import { describe, expect, it } from 'vitest'
import {
  addressFromHeaders,
  clientAddress,
  isLoopback,
  loggedAddress,
  trustPeerHeader,
} from './client-address'

describe('a client’s IP address', () => {
  describe('clientAddress', () => {
    it('trusts no header by default', () => {
      expect(clientAddress('203.0.113.7', '198.51.100.1', undefined)).toBe('203.0.113.7')
    })

    it('accepts a forwarded address only from a trusted proxy', () => {
      expect(clientAddress('10.0.0.2', '198.51.100.1', '10.0.0.0/8')).toBe('198.51.100.1')
      expect(clientAddress('203.0.113.7', '198.51.100.1', '10.0.0.0/8')).toBe('203.0.113.7')
    })

    it('returns the last forwarded address that is not a trusted proxy', () => {
      const claimed = '1.1.1.1, 198.51.100.1, 10.0.0.9'
      expect(clientAddress('10.0.0.2', claimed, '10.0.0.0/8')).toBe('198.51.100.1')
    })

    it('ignores the addresses that a client sends to the left of an invalid entry', () => {
      expect(clientAddress('10.0.0.2', '1.1.1.1, unknown', '10.0.0.0/8')).toBe('10.0.0.2')
      expect(clientAddress('10.0.0.2', '1.1.1.1, , 10.0.0.9', '10.0.0.0/8')).toBe('10.0.0.9')
    })

    it('trusts a single listed address and IPv6 ranges', () => {
      expect(clientAddress('::1', '198.51.100.1', '::1')).toBe('198.51.100.1')
      expect(clientAddress('fd00::1', '2001:db8::1', 'fd00::/8')).toBe('2001:db8::1')
    })

    it('counts the configured number of proxies from the right, regardless of the addresses that a client sends', () => {
      const forged = '1.1.1.1, 2.2.2.2, 198.51.100.1'
      expect(clientAddress('10.0.0.2', forged, '1')).toBe('198.51.100.1')
      expect(clientAddress('10.0.0.2', forged, 'true')).toBe('198.51.100.1')
      expect(clientAddress('10.0.0.3', `${forged}, 10.0.0.2`, '2')).toBe('198.51.100.1')
      expect(clientAddress('10.0.0.2', '198.51.100.1', '3')).toBe('198.51.100.1')
      expect(clientAddress('10.0.0.2', undefined, '1')).toBe('10.0.0.2')
    })

    it('converts IPv4-mapped addresses to IPv4 and drops ports and invalid text', () => {
      expect(clientAddress('::ffff:192.0.2.4', undefined, undefined)).toBe('192.0.2.4')
      expect(clientAddress('10.0.0.2', '198.51.100.1:4711', '10.0.0.2')).toBe('198.51.100.1')
      expect(clientAddress('10.0.0.2', 'unknown', '10.0.0.2')).toBe('10.0.0.2')
      expect(clientAddress(undefined, undefined, undefined)).toBeUndefined()
    })
  })

  it('is read from the peer header by addressFromHeaders only after trustPeerHeader is called', () => {
    const headers = new Headers({ 'x-latchkey-peer': '198.51.100.1', 'x-forwarded-for': '203.0.113.7' })
    expect(addressFromHeaders(headers)).toBe('203.0.113.7')
    trustPeerHeader()
    expect(addressFromHeaders(headers)).toBe('198.51.100.1')
  })

  it.each([
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['192.168.1.20', false],
    ['::ffff:192.168.1.20', false],
    ['unknown', false],
    [undefined, false],
  ])('is recognized by isLoopback only if it is a loopback address: %s (%s)', (peer, expected) =>
    expect(isLoopback(peer)).toBe(expected),
  )
})

it.each([
  ['203.0.113.57', '203.0.113.0'],
  ['2001:db8:1234:5678::9', '2001:db8:1234::'],
  [undefined, undefined],
])('loggedAddress returns the network of %s: %s', (address, logged) =>
  expect(loggedAddress(address)).toBe(logged),
)
