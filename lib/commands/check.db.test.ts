import { afterEach, expect, it, vi } from 'vitest'
import { readConfig, resetConfig } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { loadKeyRing } from '@/lib/features/keys/signing-keys'
import { inspect, unusualSettings } from './check'

const key = String(process.env.SECRET_KEY)
afterEach(() => {
  vi.unstubAllEnvs()
  process.env.SECRET_KEY = key
  delete process.env.SECRET_KEY_PREVIOUS
  delete process.env.SMTP_URL
  resetConfig()
})

async function states(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { what, state } of inspect()) found[what] = state
  return found
}

const sound = { settings: 'doubtful', database: 'good', clock: 'good', migrations: 'good' }

it('latchkey check reports a wrong or replaced key, invalid settings, and missing migrations', async () => {
  await loadKeyRing()
  expect(await states()).toEqual({ ...sound, SECRET_KEY: 'good', 'instance admin': 'doubtful' })

  process.env.SECRET_KEY = 'b81f4e6d0c93a752f5e82d7b164c0a39'
  resetConfig()
  expect(await states()).toMatchObject({ SECRET_KEY: 'bad' })
  process.env.SECRET_KEY_PREVIOUS = key
  resetConfig()
  expect(await states()).toMatchObject({ SECRET_KEY: 'doubtful' })

  process.env.SMTP_URL = 'mail.example.com'
  resetConfig()
  expect(await states()).toEqual({ settings: 'bad' })
  delete process.env.SMTP_URL
  resetConfig()

  await pool().query('DELETE FROM _prisma_migrations')
  expect(await states()).toEqual({ ...sound, migrations: 'bad' })
})

it('latchkey check reports removed settings, and incomplete settings unless the console supplies the missing value', async () => {
  const settings = async () => {
    const found: string[] = []
    for await (const { what, message } of inspect()) if (what === 'settings') found.push(message)
    return found.join('\n')
  }
  vi.stubEnv('LATCHKEY_SETTINGS', '{"signUp": "domains"}')
  vi.stubEnv('GRAPHQL_MAX_DEPTH', '5')
  resetConfig()
  expect(await settings()).toContain('signUp is domains, which needs signUpDomains, such as')
  expect(await settings()).toContain('GRAPHQL_MAX_DEPTH is no longer a setting.')
  await prisma().changedSetting.create({ data: { name: 'SIGN_UP_DOMAINS', value: 'example.com' } })
  expect(await settings()).not.toContain('needs signUpDomains')
})

it('latchkey check prints no secrets', async () => {
  process.env.SECRET_KEY = 'b81f4e6d0c93a752f5e82d7b164c0a39'
  resetConfig()
  let printed = ''
  for await (const { message } of inspect()) printed += message
  expect(printed).not.toContain('b81f4e6d')
  expect(printed).not.toContain(new URL(String(process.env.DATABASE_URL)).password)
})

it('unusualSettings warns about valid settings that are rarely intended', () => {
  const settings = (more: object) =>
    readConfig({ DATABASE_URL: 'postgresql://a@b/c', SECRET_KEY: key, MAIL_FROM: 'a@example.com', ...more })
  const open = { BASE_URL: 'https://login.example.com', TRUST_PROXY: '1', SMTP_URL: 'smtp://localhost' }
  expect(unusualSettings(settings(open))).toEqual([])
  expect(unusualSettings(settings({ ...open, BASE_URL: 'http://login.example.com' }))).toHaveLength(1)
  expect(
    unusualSettings(settings({ ...open, OIDC_CLIENT_ID: 'x', OIDC_ISSUER: 'https://a.example' })),
  ).toEqual(['OIDC_CLIENT_SECRET is not set, so OIDC sign-in is off'])
  expect(unusualSettings(settings({ SMTP_URL: 'smtp://localhost' }))).toEqual([
    'BASE_URL is http://localhost:3000, which only this machine can reach',
  ])
})
