import { expect, it } from 'vitest'
import { byName } from './by-name'

it('sorts names as people count, and namesakes by their ids', () => {
  const things = [
    { id: '4', name: 'Billing 10' },
    { id: '3', name: 'Billing 2' },
    { id: '2', name: 'analytics' },
    { id: '1', name: 'Billing 10' },
  ]
  expect(things.sort(byName).map(({ id }) => id)).toEqual(['2', '3', '1', '4'])
})
