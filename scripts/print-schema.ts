import { writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from '../lib/graphql/schema'

/** Prints the GraphQL schema into schema.graphql: `npm run schema`, after every change to lib/graphql/schema. */
writeFileSync(new URL('../schema.graphql', import.meta.url), `${printSchema(schema)}\n`)
