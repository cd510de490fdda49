import { expect, it } from 'vitest'
import { searchOf, textOf } from './list-page'

it('textOf returns the first value of a parameter', () => {
  expect(textOf({ client_id: ['one', 'two'] }, 'client_id')).toBe('one')
  expect(textOf({}, 'client_id')).toBe('')
})

it('textOf and searchOf remove NUL characters', () => {
  expect(textOf({ client_id: '\0' }, 'client_id')).toBe('')
  expect(searchOf({ search: '\0 Ada\0 Lovelace' })).toBe('Ada Lovelace')
})
