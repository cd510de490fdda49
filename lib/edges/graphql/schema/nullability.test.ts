import { isNonNullType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { builder } from '../builder'
import '.'

/**
 * The fields that are not nullable although their resolvers use the context, with the reasons. Only such a
 * resolver can check the caller and deny access. Its field is usually nullable, so that an error makes only
 * that field null (GraphQL specification, section 6.4.4).
 */
const exceptions = {
  'Query.me': 'the caller always exists',
  'Workspace.role': 'read from the authorized row',
  'Project.role': 'read from the authorized row',
  'Mutation.apiTokenCreate': 'fixed by the contract; apiTokenCreateWithDetails is nullable',
}

/** The fields as defined in Pothos, before `meterFields` wraps each resolver. */
const fields = Object.values(builder.toSchema().getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ ...field, coordinate: `${type.name}.${field.name}` })),
  )
const knowsTheCaller = fields.filter(({ resolve }) => (resolve?.length ?? 0) >= 3)

it('every field whose resolver can deny access is nullable, with listed exceptions', () => {
  expect(knowsTheCaller.length).toBeGreaterThan(80)
  const kept = knowsTheCaller.filter(({ type }) => isNonNullType(type)).map(({ coordinate }) => coordinate)
  expect(kept.sort()).toEqual(Object.keys(exceptions).sort())
})

it('every mutation field except apiTokenCreate is nullable, so that an error does not hide other results', () => {
  const kept = fields.filter(
    ({ coordinate, type }) => coordinate.startsWith('Mutation.') && isNonNullType(type),
  )
  expect(kept.map(({ coordinate }) => coordinate)).toEqual(['Mutation.apiTokenCreate'])
})
