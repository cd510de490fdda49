import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { nameOf } from './client-address'

afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

const named = (sent: string | undefined, trustProxy: string, peer = '10.0.0.7') => {
  vi.stubEnv('TRUST_PROXY', trustProxy)
  resetConfig()
  const headers = sent === undefined ? {} : { 'x-request-id': sent }
  return nameOf({ headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage)
}

it.each([
  ['1', '10.0.0.7'],
  ['10.0.0.0/8', '10.0.0.7'],
  ['10.0.0.0/8', '::ffff:10.0.0.7'],
])('with TRUST_PROXY=%s, nameOf uses the request ID from the trusted proxy %s', (trustProxy, peer) => {
  expect(named('0aF-proxy_77', trustProxy, peer)).toBe('0aF-proxy_77')
})

it.each([
  ['no proxy is trusted', 'from-a-client', ''],
  ['the sent ID does not come from a trusted proxy', 'from-a-client', '192.168.0.0/16'],
  ['the sent ID is too short', 'short', '1'],
  ['the sent ID is too long', 'x'.repeat(65), '1'],
  ['the sent ID contains markup', 'a-name<script>', '1'],
  ['no ID was sent', undefined, '1'],
])('nameOf creates a request ID if %s', (_why, sent, trustProxy) => {
  const [one, other] = [named(sent, trustProxy), named(sent, trustProxy)]
  expect(one).toMatch(/^[0-9a-f]{20}$/)
  expect(other).not.toBe(one)
})
