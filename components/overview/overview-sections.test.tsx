import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { EventLog, type ListedEvent } from '../audit/event-log'
import { ActivityFeed } from './overview-sections'

const joined: ListedEvent = {
  id: 'event',
  createdAt: new Date(),
  userId: 'mallory',
  user: 'Mallory',
  actorKind: 'session',
  through: null,
  action: 'member.added',
  resourceId: 'mallory',
  subject: 'Mallory',
  project: 'Shop',
  ip: null,
  userAgent: null,
  actorId: null,
  resourceType: 'user',
  details: { role: 'VIEWER', invitationId: 'invitation', projectId: 'shop' },
  workspace: null,
}

const words = (page: React.ReactElement) =>
  renderToStaticMarkup(page)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

it.each([
  ['the overview', (events: ListedEvent[]) => words(<ActivityFeed events={events} />)],
  ['the audit log', (events: ListedEvent[]) => words(<EventLog events={events} />)],
])('%s shows whether a user joined a project or the workspace, or was added by another user', (_, shown) => {
  expect(shown([joined])).toContain('Mallory joined the project Shop')
  const whole = { ...joined, project: null, details: { role: 'VIEWER', invitationId: 'invitation' } }
  expect(shown([whole])).toMatch(/Mallory joined (?!the project)/)
  expect(shown([{ ...joined, userId: 'ada', user: 'Ada' }])).toMatch(/Ada added Mallory/)
})
