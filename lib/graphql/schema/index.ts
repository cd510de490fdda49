import { builder } from '../builder'
import './scalars'
import './user'
import './workspace'
import './project'
import './api-token'

/** The whole schema; `schema.graphql` is its printed form. */
export const schema = builder.toSchema()
