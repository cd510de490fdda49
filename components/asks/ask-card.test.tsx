import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { AskView } from '@/lib/features/asks/read-ask'
import { AskCard } from './ask-card'

const ask: AskView = {
  id: '1',
  app: { id: 'a', name: 'Planner', logoUrl: null, logoDarkUrl: null, verified: false, publisher: null },
  wants: 'Delete',
  thing: { type: 'project', name: 'Old things' },
  workspace: 'Acme',
  tool: 'delete_project',
  askedAt: new Date(),
  state: 'open',
  validUntil: new Date(),
}
const drawn = (more: Partial<AskView> = {}, signInHref?: string) =>
  renderToStaticMarkup(
    <AskCard ask={{ ...ask, ...more }} signInHref={signInHref} action={async (state) => state} />,
  )

it('lets whoever signed in lately approve or deny', () => {
  const page = drawn()
  expect(page).toContain('Approve once')
  expect(page).toContain('Approve for an hour')
  expect(page).toContain('Deny')
})

it('has a session that was left open sign in again before it approves, and lets it deny', () => {
  const page = drawn({}, '/login?next=%2Fasks%2F1')
  expect(page).toContain('href="/login?next=%2Fasks%2F1"')
  expect(page).not.toContain('value="once"')
  expect(page).not.toContain('value="hour"')
  expect(page).toContain('value="deny"')
})

it('names a workspace once, and takes no answer where one was given', () => {
  expect(drawn().match(/>Workspace</g)).toHaveLength(1)
  expect(drawn({ thing: { type: 'workspace', name: 'Acme' } }).match(/>Workspace</g)).toHaveLength(1)
  expect(drawn({ state: 'denied' })).not.toContain('value="deny"')
})
