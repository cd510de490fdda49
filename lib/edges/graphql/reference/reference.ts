import { remember } from '@/lib/base/process/remember'
import { schema } from '../schema'
import { describeSchema, type Reference } from './describe-schema'

export type { Reference }

/** The product's own schema as the docs show it, described once. */
export const reference = (): Reference => remember('graphql reference', () => describeSchema(schema))
