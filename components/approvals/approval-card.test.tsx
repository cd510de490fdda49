import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { FactorApprovalView } from '@/lib/features/approvals/factor-approvals'
import type { ApprovalView } from '@/lib/features/approvals/read-approval'
import { ApprovalCard, FactorApprovalCard } from './approval-card'

const at = new Date('2026-03-04T05:06:07Z')
const request: ApprovalView = {
  id: '1',
  app: {
    id: 'client-1',
    name: 'Planner',
    logoUrl: null,
    logoDarkUrl: null,
    verified: false,
    publisher: null,
    createdAt: at,
  },
  does: 'Transfer a project to another workspace',
  operation: 'projectTransfer',
  irreversible: false,
  resource: {
    type: 'project',
    id: 'project-1',
    name: 'tmp-scratch (safe to remove)',
    href: '/workspaces/acme/projects/project-1',
    createdAt: at,
    contains: ['2 environments: Production, Staging', '12 variables'],
    lastActivityAt: at,
    renames: [{ from: 'Payments', to: 'tmp-scratch (safe to remove)', at, by: 'the app Planner, for Ada' }],
  },
  resourceId: 'project-1',
  arguments: [
    { label: 'Project', value: 'tmp-scratch (safe to remove)', detail: 'project-1' },
    { label: 'Workspace', value: 'Globex', detail: 'workspace-2' },
  ],
  workspace: { id: 'workspace-1', name: 'Acme' },
  tool: 'transfer_project',
  requestedAt: at,
  state: 'open',
  hourly: false,
  validUntil: at,
}
const drawn = (more: Partial<ApprovalView> = {}, signInHref?: string) =>
  renderToStaticMarkup(
    <ApprovalCard
      request={{ ...request, ...more }}
      signInHref={signInHref}
      action={async (state) => state}
    />,
  )

it('an app’s request shows the operation, the destination, the resource, and who renamed it', () => {
  const page = drawn()
  for (const shown of [
    'Transfer a project to another workspace',
    'Globex',
    'workspace-2',
    'project-1',
    'href="/workspaces/acme/projects/project-1"',
    '2 environments: Production, Staging',
    'Payments',
    'the app Planner, for Ada',
    'client-1',
    'transfer_project',
  ]) {
    expect(page).toContain(shown)
  }
})

it('the title of an app’s request is the operation and contains no text from the app', () => {
  expect(/<h2[^>]*>([^<]*)<\/h2>/.exec(drawn())?.[1]).toBe('Transfer a project to another workspace')
})

it('an app’s open request for an irreversible operation warns that it can’t be undone', () => {
  expect(drawn()).not.toContain('This can’t be undone.')
  expect(drawn({ irreversible: true })).toContain('This can’t be undone.')
  expect(drawn({ irreversible: true, state: 'used' })).not.toContain('This can’t be undone.')
})

it('an app’s request can be approved for an hour only if the action allows it', () => {
  expect(drawn()).toContain('value="once"')
  expect(drawn()).not.toContain('value="hour"')
  expect(drawn({ hourly: true })).toContain('value="hour"')
})

it('an app’s request requires a recent sign-in to approve, but not to deny', () => {
  const page = drawn({ hourly: true }, '/login?next=%2Fasks%2F1')
  expect(page).toContain('href="/login?next=%2Fasks%2F1"')
  expect(page).not.toContain('value="once"')
  expect(page).not.toContain('value="hour"')
  expect(page).toContain('value="deny"')
})

it('an app’s request offers only a revocation if its approval is unused, and no decision if it is denied, used, or expired', () => {
  expect(drawn({ state: 'approved-once' })).toContain('Revoke approval')
  expect(drawn({ state: 'approved-once' })).not.toContain('value="once"')
  for (const state of ['denied', 'used', 'over'] as const) expect(drawn({ state })).not.toContain('<button')
})

it('an app’s request shows two arguments separately even if they have the same value', () => {
  const equal = { label: 'Name', value: 'same' }
  expect(drawn({ arguments: [equal, { ...equal, label: 'Description' }] }).match(/>same</g)).toHaveLength(2)
})

const requestOfFactorApprovalCard: FactorApprovalView = {
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
const drawnOfFactorApprovalCard = (
  more: Partial<FactorApprovalView> = {},
  { signInHref, hasPassword = true }: { signInHref?: string; hasPassword?: boolean } = {},
) =>
  renderToStaticMarkup(
    <FactorApprovalCard
      request={{ ...requestOfFactorApprovalCard, ...more }}
      signInHref={signInHref}
      hasPassword={hasPassword}
      action={async (state) => state}
    />,
  )

it('a token’s request shows the token, the change, and the passkey, and requires the user’s password, if any, to approve', () => {
  const page = drawnOfFactorApprovalCard({ wanted: 'Mine now' })
  for (const text of [
    'Script',
    'lk_pat_…abcd',
    'Remove a passkey',
    'Laptop',
    'Mine now',
    '192.0.2.7',
    'never used',
    'Added',
    '2025-03-04T05:06:07',
    '2025-04-05T06:07:08',
  ]) {
    expect(page).toContain(text)
  }
  expect(page).toContain('name="password"')
  expect(page).toContain('value="once"')
  expect(page).not.toContain('value="hour"')
  expect(drawnOfFactorApprovalCard({}, { hasPassword: false })).not.toContain('name="password"')
})

it('a token’s request requires a recent sign-in to approve, but not to deny', () => {
  const page = drawnOfFactorApprovalCard({}, { signInHref: '/login?next=%2Fasks%2F1' })
  expect(page).toContain('href="/login?next=%2Fasks%2F1"')
  expect(page).not.toContain('value="once"')
  expect(page).not.toContain('name="password"')
  expect(page).toContain('value="deny"')
})

it('an unused approval of a token’s request can be revoked on its page, which also links to the tokens', () => {
  const page = drawnOfFactorApprovalCard({ state: 'approved-once' })
  expect(page).toContain('value="deny"')
  expect(page).toContain('href="/account/tokens"')
  expect(page).not.toContain('value="once"')
  expect(page).not.toContain('name="password"')
})

it('a token’s request offers no decision if it is denied, used, or expired, and shows a missing passkey as deleted', () => {
  for (const state of ['denied', 'used', 'over'] as const) {
    expect(drawnOfFactorApprovalCard({ state })).not.toContain('<button')
  }
  expect(drawnOfFactorApprovalCard({ passkey: null })).toContain('No longer exists')
})
