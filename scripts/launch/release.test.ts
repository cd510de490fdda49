import { expect, it } from 'vitest'
import { migratesAtBuild } from './release'

it.each([
  [{ VERCEL_ENV: 'production' }, true],
  [{ VERCEL_ENV: 'production', MIGRATE: '0' }, false],
  [{ VERCEL_ENV: 'production', MIGRATE: ' ' }, true],
  [{ VERCEL_ENV: 'preview' }, false],
  [{ VERCEL_ENV: 'preview', MIGRATE: '1' }, true],
  [{}, false],
  [{ MIGRATE: '1' }, true],
])('migratesAtBuild for the environment %j returns %s', (env, migrates) => {
  expect(migratesAtBuild(env)).toBe(migrates)
})
