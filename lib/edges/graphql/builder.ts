import SchemaBuilder, { type SchemaTypes } from '@pothos/core'
import type { Timestamp } from '@/lib/base/db/statements'
import { type Permission, permissions } from '@/lib/policy/permissions'
import type { GraphQLContext } from './context'

/**
 * The schema builder, to which the files in schema/ add types and operations. Fields are non-null by default.
 * A field that requires a scope is nullable, so that a missing scope makes only that field null, not the
 * whole response.
 */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Timestamp }
    JSON: { Input: unknown; Output: unknown }
    EnvironmentVariables: { Input: Record<string, string>; Output: Record<string, string> }
  }
}>({ defaultFieldNullability: false })

/** The types of the schema builder, for the signatures of functions that use the builder. */
export type Types =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T extends SchemaTypes> ? T : never

builder.queryType({ description: 'The query root.' })
builder.mutationType({ description: 'The mutation root.' })
builder.subscriptionType({
  description: 'The subscription root. Results arrive as a stream of server-sent events.',
})

/** Fixed phrases for the schema's descriptions, so that the same fact has the same wording everywhere. */
export const compatibility = 'Compatibility field for clients of similar APIs.'
export const notForApps = 'Not available to apps.'

/** Returns the sentence about the scope that apps need for an operation. */
export const describeScope = (scope: string): string => `Apps need the \`${scope}\` scope.`

/** Returns the sentence about the role that an operation requires, without the final period. */
export const describeRole = (permission: Permission): string =>
  `Requires the ${permissions[permission].role} role`
