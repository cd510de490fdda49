import { expect, it } from 'vitest'
import { eventListeners, registerEventListeners } from './record-event'

it('refuses to record events that nobody would hear of, until somebody has said who listens', () => {
  expect(eventListeners).toThrow('composeEvents()')
  const first = async () => undefined
  const second = async () => undefined
  registerEventListeners([first, second])
  expect(eventListeners()).toEqual([first, second])
  registerEventListeners([])
  expect(eventListeners()).toEqual([])
})
