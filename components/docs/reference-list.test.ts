import { expect, it } from 'vitest'
import { summaryOf } from './reference-list'

it.each([
  ['Deletes a project. Requires the ADMIN role.', 'Deletes a project.'],
  ['The URL of `next.js`. Default: none.', 'The URL of `next.js`.'],
  [
    'Compatibility field for clients of similar APIs. Always null. Returns true.',
    'Compatibility field for clients of similar APIs. Always null.',
  ],
  ['Compatibility field for clients of similar APIs.', 'Compatibility field for clients of similar APIs.'],
  ['A project', 'A project'],
])('summarizes a description: %s', (text, summary) => {
  expect(summaryOf(text)).toBe(summary)
})
