import { printSchema } from 'graphql'
import { remember } from '@/lib/base/process/remember'
import { schema } from '../schema'

/** Returns the schema in the schema definition language, printed once per process. */
export const schemaText = (): string => remember('schema text', () => `${printSchema(schema)}\n`)

/** GET /schema.graphql: the schema as text, for generators and agents that do not introspect. */
export const answerSchema = (): Response =>
  new Response(schemaText(), {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    },
  })
