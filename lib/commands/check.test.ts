import { expect, it } from 'vitest'
import { readConfig } from '@/lib/base/config/env'
import { unusualSettings } from './check'

const certificate = '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----'

const doubts = (mode: string, more: Record<string, string> = {}) =>
  unusualSettings(
    readConfig({
      DATABASE_URL: `postgresql://latchkey:hidden@db.example.com/latchkey${mode}`,
      SECRET_KEY: '3f9c1b7e5a2d8046e1c7b39f0d5a6284',
      ...more,
    }),
  ).filter((line) => line.includes('DATABASE'))

it.each(['?sslmode=require', '?sslmode=prefer', '?sslmode=no-verify'])(
  'latchkey check warns that %s does not verify the database server',
  (mode) => {
    const [line, ...more] = doubts(mode)
    expect(line).toMatch(/^DATABASE_URL encrypts the connection but does not verify the server/)
    expect(line).not.toContain('hidden')
    expect(more).toEqual([])
  },
)

it.each([
  ['', {}],
  ['?sslmode=verify-full', {}],
  ['?sslmode=require&sslrootcert=/ca.pem', {}],
  ['?sslmode=require', { DATABASE_CA: certificate }],
])('latchkey check accepts the connection parameters %j with the settings %j', (mode, more) => {
  expect(doubts(mode, more)).toEqual([])
})
