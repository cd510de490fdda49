import { expect, it } from 'vitest'
import { readConfig } from '@/lib/base/config/env'
import { describeSettings } from './read-instance'

const env: NodeJS.ProcessEnv = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgresql://latchkey:hunter2@db:5432/latchkey?password=hunter3',
  SECRET_KEY: 'hunter4-hunter5-hunter6-hunter7-hunter8',
  SMTP_URL: 'smtp://mailer:hunter5@mail.example.com:587',
  GITHUB_CLIENT_ID: 'public-id',
  GITHUB_CLIENT_SECRET: 'hunter6',
}

it('shows what is in effect and where it comes from, and no secret', () => {
  const shown = describeSettings(readConfig(env), env)
  expect(JSON.stringify(shown)).not.toContain('hunter')
  const one = (name: string) => shown.find((setting) => setting.name === name)
  expect(one('DATABASE_URL')).toMatchObject({
    value: 'postgresql://latchkey:***@db:5432/latchkey?***',
    from: 'environment',
  })
  expect(one('SMTP_URL')).toMatchObject({
    value: 'smtp://mailer:***@mail.example.com:587',
    from: 'environment',
  })
  expect(one('GITHUB_CLIENT_ID')).toMatchObject({ value: 'public-id', from: 'environment' })
  expect(one('SECRET_KEY')).toMatchObject({ value: '***', from: 'environment' })
  expect(one('GOOGLE_CLIENT_SECRET')?.value ?? '').toBe('')
  expect(one('PORT')).toMatchObject({ value: '3000', from: 'default' })
  const changed = { SESSION_DAYS: '30' }
  expect(describeSettings(readConfig(env, changed), env, changed)).toContainEqual({
    name: 'SESSION_DAYS',
    value: '30',
    from: 'console',
  })
})

it('hides the password of a database address that names several servers', () => {
  const DATABASE_URL = 'postgresql://latchkey:hunter2@one:5432,two:5433/latchkey?password=hunter9'
  const several = { ...env, DATABASE_URL }
  const shown = describeSettings(readConfig(several), several)
  expect(JSON.stringify(shown)).not.toContain('hunter')
  expect(shown.find(({ name }) => name === 'DATABASE_URL')?.value).toBe(
    'postgresql://latchkey:***@one:5432,two:5433/latchkey?***',
  )
})
