import { defaultFieldResolver, type GraphQLError, type GraphQLField, type GraphQLSchema } from 'graphql'
import { isAppError } from '@/lib/base/errors/app-error'
import { requestApprovals } from '@/lib/features/approvals/request-approval'
import type { Actor } from '@/lib/policy/actor'
import type { GraphQLContext } from './context'
import { originOf } from './present-error'

/**
 * Announces each mutation, with its arguments as GraphQL coerced them, to the policy, so that an approval is bound to them: aliases,
 * variables, default values, and the order of arguments make no difference there. The fields of a mutation's answer only read.
 * Root fields of a mutation run one after another (GraphQL section 6.2.2), so an actor does one thing at a time.
 * @returns the same schema
 */
export function announceMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.resolve = announced(field)
  }
  return schema
}

function announced(field: GraphQLField<unknown, GraphQLContext>): typeof field.resolve {
  const resolve = field.resolve ?? defaultFieldResolver
  return async (source, args, context, info) => {
    const { actor } = context
    if (actor.kind !== 'oauth') return resolve(source, args, context, info)
    const reading = actor.operation
    actor.operation = { kind: 'change', name: info.fieldName, args }
    try {
      return await resolve(source, args, context, info)
    } finally {
      actor.operation = reading
    }
  }
}

/** Announces that an app reads, until one of its mutations is announced. Where nothing is announced, everything counts as a change. */
export function announceReading(actor: Actor): void {
  if (actor.kind === 'oauth') actor.operation = { kind: 'read' }
}

/**
 * Opens the approval requests for which an operation was refused, so that each refusal has the page where the user decides.
 * @param headers of the answer. They get a challenge (RFC 9470 section 3) with status 200, like every authorization failure here;
 *   after a 401, clients discard a valid token
 */
export async function openApprovals(
  actor: Actor,
  errors: readonly GraphQLError[],
  headers: Record<string, string> = {},
): Promise<void> {
  const refusals = errors
    .map(originOf)
    .filter(isAppError)
    .filter(({ code }) => code === 'APPROVAL_REQUIRED')
  if (refusals.length === 0) return
  await requestApprovals(actor, refusals)
  headers['www-authenticate'] =
    'Bearer error="insufficient_user_authentication", error_description="This requires approval by the user."'
}
