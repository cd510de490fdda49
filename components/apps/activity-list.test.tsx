import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { AppActivity } from '@/lib/features/apps/activity/list-activity'
import { ActivityList } from './activity-list'

const event = (more: Partial<AppActivity>): AppActivity => ({
  id: crypto.randomUUID(),
  kind: 'SIGNED_IN',
  userId: 'sub-1',
  name: null,
  email: null,
  scopes: [],
  error: null,
  detail: null,
  ip: null,
  userAgent: null,
  traceId: null,
  createdAt: new Date(),
  ...more,
})

const said = (events: AppActivity[], search = '') =>
  renderToStaticMarkup(
    <ActivityList
      events={events}
      total={events.length}
      path="/activity"
      search={search}
      filtered={false}
      hrefs={{ previous: undefined, next: undefined }}
    />,
  ).replace(/<[^>]+>/g, ' ')

it('the activity list shows a user’s name, email address, or ID, or “Unknown” if an event has no user', () => {
  expect(said([event({ name: 'Grace', email: 'grace@example.com' })])).toContain('Grace')
  expect(said([event({ email: 'grace@example.com' })])).toContain('grace@example.com')
  expect(said([event({})])).toContain('sub-1')
  expect(said([event({ userId: null, kind: 'REFUSED', error: 'invalid_grant', traceId: 'abc' })])).toMatch(
    /Refused .*Unknown .*invalid_grant .*Trace ID .*abc/,
  )
})

it('the activity list shows different messages for an app without activity and a search without matches', () => {
  expect(said([])).toContain('No activity yet')
  expect(said([], 'invalid_grant')).toMatch(/No event matches “ *invalid_grant *” .*Clear search/)
  expect(said([event({})])).toContain('1 event in the last 30 days')
})
