import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { AppHistory } from '../instance-admin/operated-app'
import { EventLog, type ListedEvent } from './event-log'
import { ActionText } from './event-text'
import { actionText } from './event-words'

const said = (page: React.ReactElement) => renderToStaticMarkup(page).replace(/<[^>]+>/g, '')

it('an event’s sentence contains the name of the subject', () => {
  const sentence = (action: string) => said(<ActionText words={actionText(action)}>Planner</ActionText>)
  expect(sentence('app.revoked_for_everyone')).toBe('revoked all access of the app Planner')
  expect(sentence('authorization.revoked_after_token_reuse')).toBe(
    'revoked the access of Planner because a token was reused',
  )
  expect(sentence('oauth_app.disabled')).toBe('disabled the OAuth app Planner')
  expect(said(<ActionText words="added a secret to" capital />)).toMatch(/^Added a secret to/)
})

const event: ListedEvent = {
  id: 'event',
  createdAt: new Date(),
  userId: 'mary',
  user: 'Mary',
  actorKind: 'session',
  through: null,
  action: 'member.added',
  resourceId: 'mary',
  subject: 'Mary',
  project: null,
  ip: null,
  userAgent: null,
  actorId: null,
  resourceType: 'user',
  details: { invitationId: 'invitation' },
  workspace: { id: 'w', name: 'Northwind', gone: false },
}

it.each<[string, Partial<ListedEvent>]>([
  ['Mary joined Northwind', {}],
  ['Mary confirmed their email', { action: 'user.email_verified', workspace: null }],
  ['Ada added Mary to Northwind', { userId: 'ada', user: 'Ada' }],
  [
    'Mary set the variable TOKEN in Northwind / Parcels',
    { action: 'variable.created', resourceId: 'v', subject: 'TOKEN', project: 'Parcels' },
  ],
  [
    'Mary invited eve@example.com to Northwind / Parcels',
    { action: 'invitation.created', resourceId: 'i', subject: 'eve@example.com', project: 'Parcels' },
  ],
  [
    'Mary created the project Parcels in Northwind (deleted)',
    {
      action: 'project.created',
      resourceId: 'p',
      subject: 'Parcels',
      workspace: { id: 'w', name: 'Northwind', gone: true },
    },
  ],
])('the instance’s audit log shows who did what, and where: %s', (sentence, part) => {
  const row = said(<EventLog events={[{ ...event, ...part }]} everywhere />).replace(/ +/g, ' ')
  expect(row).toContain(sentence)
})

it('an app’s history of decisions names the app', () => {
  const event = { id: '1', user: 'Ada', details: null, createdAt: new Date() }
  const events = [{ ...event, action: 'oauth_app.unverified' }]
  expect(said(<AppHistory app="Deploy Bot" events={events} />)).toContain(
    'Ada removed the verification of Deploy Bot',
  )
})
