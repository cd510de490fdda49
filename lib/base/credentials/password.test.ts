import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './password'

it('refuses a hash when too many wait, serves those that do, and recovers', async () => {
  const password = 'correct horse battery staple'
  const first = hashPassword(password)
  const others = Array.from({ length: 256 + availableParallelism() }, () => hashPassword(password))
  await expect(others.at(-1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const outcomes = await Promise.allSettled([first, ...others])
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(256)
  expect(await verifyPassword(await first, password)).toBe(true)
  expect(await verifyPassword(await first, 'another')).toBe(false)
}, 120_000)
