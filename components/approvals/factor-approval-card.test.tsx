import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { FactorApprovalView } from '@/lib/features/approvals/factor-approvals'
import { FactorApprovalCard } from './factor-approval-card'

const request: FactorApprovalView = {
  id: '1',
  token: { name: 'Script', display: 'lk_pat_…abcd', createdAt: new Date(), lastUsedAt: null },
  wants: 'Remove a passkey',
  means: 'It no longer signs you in.',
  passkey: {
    name: 'Laptop',
    createdAt: new Date('2025-03-04T05:06:07Z'),
    lastUsedAt: new Date('2025-04-05T06:07:08Z'),
  },
  wanted: '',
  askedAt: new Date(),
  ip: '192.0.2.7',
  state: 'open',
}
const drawn = (
  more: Partial<FactorApprovalView> = {},
  { signInHref, hasPassword = true }: { signInHref?: string; hasPassword?: boolean } = {},
) =>
  renderToStaticMarkup(
    <FactorApprovalCard
      request={{ ...request, ...more }}
      signInHref={signInHref}
      hasPassword={hasPassword}
      action={async (state) => state}
    />,
  )

it('shows the token, the change and its target, and requires the password to approve', () => {
  const page = drawn({ wanted: 'Mine now' })
  for (const told of [
    'Script',
    'lk_pat_…abcd',
    'Remove a passkey',
    'Laptop',
    'Mine now',
    '192.0.2.7',
    'not used before',
    'Added',
    '2025-03-04T05:06:07',
    '2025-04-05T06:07:08',
  ]) {
    expect(page).toContain(told)
  }
  expect(page).toContain('name="password"')
  expect(page).toContain('value="once"')
  expect(page).not.toContain('value="hour"')
  expect(drawn({}, { hasPassword: false })).not.toContain('name="password"')
})

it('requires another sign-in to approve, but not to decline', () => {
  const page = drawn({}, { signInHref: '/login?next=%2Fasks%2F1' })
  expect(page).toContain('href="/login?next=%2Fasks%2F1"')
  expect(page).not.toContain('value="once"')
  expect(page).not.toContain('name="password"')
  expect(page).toContain('value="deny"')
})

it('revokes an unused approval and links to the tokens', () => {
  const page = drawn({ state: 'approved-once' })
  expect(page).toContain('value="deny"')
  expect(page).toContain('href="/account/tokens"')
  expect(page).not.toContain('value="once"')
  expect(page).not.toContain('name="password"')
})

it('offers no decision after one was made, and says that a passkey no longer exists', () => {
  for (const state of ['denied', 'used', 'over'] as const) {
    expect(drawn({ state })).not.toContain('<button')
  }
  expect(drawn({ passkey: null })).toContain('No longer exists')
})
