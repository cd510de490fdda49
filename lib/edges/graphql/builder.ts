import SchemaBuilder, { type SchemaTypes } from '@pothos/core'
import { type Permission, permissions } from '@/lib/policy/permissions'
import type { GraphQLContext } from './context'

/**
 * Builds the schema: each file in schema/ adds one noun to it. Fields are non-null unless they say otherwise; a field that
 * a caller may lack the scope for is nullable, so that the error costs that field and not the answer.
 */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Date }
    JSON: { Input: unknown; Output: unknown }
    EnvironmentVariables: { Input: Record<string, string>; Output: Record<string, string> }
  }
}>({ defaultFieldNullability: false })

/** What the schema is made of, for functions that take a part of it. */
export type Types =
  typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T extends SchemaTypes> ? T : never

builder.queryType({ description: 'What can be read.' })
builder.mutationType({ description: 'What can be changed.' })
builder.subscriptionType({
  description: 'What can be followed as it happens, as a stream of server-sent events.',
})

/** The sentence of a description that says which role an operation takes, without its full stop. */
export const takes = (permission: Permission): string => `Takes the role ${permissions[permission].role}`
