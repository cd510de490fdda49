import { expect, it } from 'vitest'
import { wrongWording } from './wording'

it('the wording check reports a word with its location and replacement', () => {
  expect(wrongWording('docs/glossary.md', '/** Fine. */\n// Whoever reads this\n')).toEqual([
    'docs/glossary.md:2: "Whoever": write a noun, such as "users who" or "any"',
  ])
})

it('the wording check accepts plain words, and ignores the guide that quotes the rejected words', () => {
  expect(wrongWording('ARCHITECTURE.md', 'Users who read this receive an email in color.')).toEqual([])
  expect(wrongWording('docs/develop/voice.md', 'anew')).toEqual([])
})
