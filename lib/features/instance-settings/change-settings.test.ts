import { expect, it } from 'vitest'
import { unreadable } from './change-settings'

const suggested = (sentence: string | undefined) => /#[0-9a-f]{6}/.exec(sentence ?? '')?.[0] ?? ''

it.each([
  ['#ffffff', 'hard to see on light pages. Choose a darker one'],
  ['#fff3c4', 'hard to see on light pages. Choose a darker one'],
  ['#000000', 'hard to see on dark pages. Choose a lighter one'],
  ['#10121A', 'hard to see on dark pages. Choose a lighter one'],
])('unreadable returns an error that suggests a readable color instead of %s', (color, why) => {
  const sentence = unreadable('accentColor', color)
  expect(sentence).toContain(why)
  expect(suggested(sentence)).not.toBe(color)
  expect(unreadable('accentColor', suggested(sentence))).toBeUndefined()
})

it.each(['#4f46e5', '#ffe600', '#1e3a8a', '#777777', ''])('unreadable accepts the color “%s”', (color) =>
  expect(unreadable('accentColor', color)).toBeUndefined(),
)

it('unreadable accepts only service names that contain a letter or digit', () => {
  expect(unreadable('serviceName', '日本')).toBeUndefined()
  expect(unreadable('serviceName', '— · —')).toBe('Use at least one letter or digit.')
})
