import { writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from '../lib/edges/graphql/schema'

/**
 * `npm run schema` writes the GraphQL schema to schema.graphql. Run it after every change to
 * lib/edges/graphql/schema.
 */
writeFileSync(new URL('../schema.graphql', import.meta.url), `${printSchema(schema)}\n`)
