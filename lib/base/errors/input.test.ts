import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AppError } from './app-error'
import { parseInput, shortText, unknownName } from './input'

const refusal = (schema: z.ZodType, value: unknown): string | undefined => {
  try {
    parseInput(z.object({ field: schema }), { field: value })
  } catch (error) {
    return (error as AppError).details.fields?.field
  }
}

describe('messages for invalid input', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string().max(1000), 'x'.repeat(1001), 'Use at most 1,000 characters.'],
    [z.string().min(1), '', 'Fill in this field.'],
    [z.string().min(3), 'ab', 'Use at least 3 characters.'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'Use at most 2 entries.'],
    [z.string(), undefined, 'Fill in this field.'],
    [z.string(), 7, 'This has the wrong type.'],
    [z.enum(['ADMIN', 'MEMBER']), 'OWNER', 'Choose one of the listed values.'],
  ])(
    'come from the default texts if a rule has no message of its own (case %#)',
    (schema, value, sentence) => {
      expect(refusal(schema, value)).toBe(sentence)
    },
  )

  it('come from the rule if it has its own message', () => {
    expect(refusal(z.string().max(3, 'Use a shorter name.'), 'long')).toBe('Use a shorter name.')
    expect(refusal(z.enum(['A'], { error: 'Choose a role.' }), 'B')).toBe('Choose a role.')
  })

  it('come from the last option of a union', () => {
    expect(refusal(z.union([z.literal(''), shortText(3)]), 'long')).toBe('Use at most 3 characters.')
  })
})

it('shortText does not run further checks of a text that is too long', () => {
  const lengths: number[] = []
  const schema = shortText(1000).refine((text) => lengths.push(text.length))
  expect(refusal(schema, 'x'.repeat(1001))).toBe('Use at most 1,000 characters.')
  expect(refusal(schema, ` ${'x'.repeat(1000)} `)).toBeUndefined()
  expect(lengths).toEqual([1000])
})

const known = ['project.created', 'project.deleted', 'member.added']

it.each([
  ['project.created', undefined],
  ['project.create', 'There is no event “project.create”. Valid values: project.created, project.deleted.'],
  ['project', 'There is no event “project”. Valid values: project.created, project.deleted.'],
  ['projects.created', 'There is no event “projects.created”. Valid values begin with project, member.'],
  ['', 'There is no event “”. Valid values begin with project, member.'],
  ['__proto__', 'There is no event “__proto__”. Valid values begin with project, member.'],
])('unknownName returns the correct message for %j: %s', (name, sentence) => {
  expect(unknownName('event', name, known)).toBe(sentence)
})
