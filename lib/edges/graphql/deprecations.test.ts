import { type GraphQLNamedType, isEnumType, isInputObjectType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { schema } from './schema'

type Deprecable = { name: string; deprecationReason?: string | null }

const partsOf = (type: GraphQLNamedType): Deprecable[] => {
  if (isObjectType(type)) return Object.values(type.getFields()).flatMap((field) => [field, ...field.args])
  if (isInputObjectType(type)) return Object.values(type.getFields())
  return isEnumType(type) ? [...type.getValues()] : []
}

/** The form that docs/api/versioning.md requires: the replacement and the earliest end date. */
const form = /^Use `[^`]+`.* Ends \d{4}-\d{2}-\d{2}\.$/

it('every deprecation names the replacement and the end date', () => {
  const reasons = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__'))
    .flatMap(partsOf)
    .map((part) => part.deprecationReason)
    .filter((reason) => reason != null)
  expect(reasons.filter((reason) => !form.test(reason))).toEqual([])
  expect(form.test('Use `projects`. Ends 2027-06-30.')).toBe(true)
  expect(form.test('No longer supported')).toBe(false)
})
