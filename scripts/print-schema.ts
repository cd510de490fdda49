import { writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from '../lib/edges/graphql/schema'

/** Prints the GraphQL schema into schema.graphql: `npm run schema`, after every change to lib/edges/graphql/schema. */
writeFileSync(new URL('../schema.graphql', import.meta.url), `${printSchema(schema)}\n`)
