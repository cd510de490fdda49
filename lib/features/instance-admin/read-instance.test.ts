import { expect, it } from 'vitest'
import { describeSettings } from './read-instance'

const env: NodeJS.ProcessEnv = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgresql://latchkey:hunter2@db:5432/latchkey?password=hunter3',
  SECRET_KEY: 'hunter4-hunter5-hunter6-hunter7-hunter8',
  SMTP_URL: 'smtp://mailer:hunter5@mail.example.com:587',
  GITHUB_CLIENT_ID: 'public-id',
  GITHUB_CLIENT_SECRET: 'hunter6',
}

it('describeSettings returns the effective settings and their origin, without secrets', () => {
  const shown = describeSettings(env)
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
  const changed = { sessionDays: '30' }
  expect(describeSettings(env, changed)).toContainEqual({
    name: 'sessionDays',
    value: '30',
    from: 'console',
  })
})

it('describeSettings includes the instance settings from LATCHKEY_SETTINGS', () => {
  const LATCHKEY_SETTINGS = '{"sessionDays": {"value": 5, "locked": true}, "restoreDays": 3}'
  const shown = describeSettings({ ...env, LATCHKEY_SETTINGS, WORKSPACE_APPS: 'own' }, { restoreDays: '9' })
  expect(shown).toEqual(
    expect.arrayContaining([
      { name: 'LATCHKEY_SETTINGS', value: 'JSON', from: 'environment' },
      { name: 'sessionDays', value: '5', from: 'LATCHKEY_SETTINGS' },
      { name: 'restoreDays', value: '9', from: 'console' },
      { name: 'workspaceApps', value: 'own', from: 'environment' },
    ]),
  )
})

it('describeSettings hides the password in a database URL with several servers', () => {
  const DATABASE_URL = 'postgresql://latchkey:hunter2@one:5432,two:5433/latchkey?password=hunter9'
  const several = { ...env, DATABASE_URL }
  const shown = describeSettings(several)
  expect(JSON.stringify(shown)).not.toContain('hunter')
  expect(shown.find(({ name }) => name === 'DATABASE_URL')?.value).toBe(
    'postgresql://latchkey:***@one:5432,two:5433/latchkey?***',
  )
})
