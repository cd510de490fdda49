import { expect, it } from 'vitest'
import { linesOf, textFields } from './form-fields'

it('makes lines of repeated fields, and leaves out NUL, files and what is React’s own', () => {
  const form = new FormData()
  form.append('id', 'a\0b')
  form.append('scope', 'one')
  form.append('scope', 'two')
  form.append('$ACTION_KEY', 'k')
  form.append('logo', new Blob(['x']))
  expect(textFields(form)).toEqual({ id: 'ab', scope: 'one\ntwo' })
})

it('reads the values of a repeated field, also when none was sent', () => {
  expect(linesOf('one\ntwo')).toEqual(['one', 'two'])
  expect([linesOf(''), linesOf(undefined)]).toEqual([[], []])
})
