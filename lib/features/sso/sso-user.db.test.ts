import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { coversAccount } from '@/lib/policy/required-sso'
import { canSignInAccount } from './sso-user'

/**
 * A generator of strings from only a few characters, so that addresses and domains are often nearly the same.
 */
const labels = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-', '%', '_'), minLength: 1, maxLength: 5 })
const cases = fc.record({
  domain: labels,
  email: fc
    .tuple(labels, labels, fc.boolean())
    .map(([local, host, twice]) => `${local}@${twice ? 'a@' : ''}${host}`),
  instanceAdmin: fc.boolean(),
})

it('the SQL check of SSO access on each request gives the same result as the check at sign-in', async () => {
  const sample = fc.sample(cases, { numRuns: 500, seed: 20261123 })
  // Half of the addresses are within the domain.
  const all = sample.map((each, at) => (at % 2 ? each : { ...each, email: `a@${each.domain}` }))
  const { rows } = await pool().query<{ yes: boolean }>(
    `SELECT ${coversAccount('ip', 'u')} AS yes
       FROM unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS u(domain, email, instance_admin, at)
       CROSS JOIN LATERAL (SELECT u.domain, now() AS verified_at) ip ORDER BY u.at`,
    [
      all.map(({ domain }) => domain),
      all.map(({ email }) => email),
      all.map(({ instanceAdmin }) => instanceAdmin),
    ],
  )
  const expected = all.map((each) => canSignInAccount(each.domain, each))
  expect(rows.map(({ yes }) => yes)).toEqual(expected)
  expect(new Set(expected).size).toBe(2)
})
