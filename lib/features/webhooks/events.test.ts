import { expect, it } from 'vitest'
import { eventsOf, isSubscription, subscriptionsFor } from './events'

it('a renamed event is sent to webhooks whose subscription is stored under its former name', () => {
  expect(subscriptionsFor('app.transfer_requested')).toEqual([
    'app.transfer_requested',
    'app.*',
    'app.offered',
  ])
  expect(subscriptionsFor('project.created')).toEqual(['project.created', 'project.*'])
})

it('stored subscriptions are returned under their current names, without duplicates', () => {
  const events = ['app.offered', 'app.transfer_requested', 'app.offer_declined', 'project.*']
  expect(eventsOf({ events })).toEqual(['app.transfer_requested', 'app.transfer_declined', 'project.*'])
  expect(eventsOf({ events }).every(isSubscription)).toBe(true)
})
