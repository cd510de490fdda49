import { expect, it } from 'vitest'
import { eventListeners, registerEventListeners } from './record-event'

it('eventListeners throws until listeners are registered, so that no notifications are lost', () => {
  expect(eventListeners).toThrow('composeEvents()')
  const first = async () => undefined
  const second = async () => undefined
  registerEventListeners([first, second])
  expect(eventListeners()).toEqual([first, second])
  registerEventListeners([])
  expect(eventListeners()).toEqual([])
})
