import type { GraphQLError } from 'graphql'
import { isAppError } from '@/lib/base/errors/app-error'
import { openAsks } from '@/lib/features/asks/open-ask'
import { openFactorAsks } from '@/lib/features/asks/open-factor-ask'
import type { Actor } from '@/lib/policy/actor'
import { originOf } from './present-error'

/**
 * Opens the questions that an operation was refused for, so that each refusal names the page where its person answers.
 * @param headers of the answer: a challenge says what is missing (RFC 9470 section 3). It stands beside status 200, as every
 *   authorization failure here does; a 401 would have clients throw away a token that is good
 */
export async function askFirst(
  actor: Actor,
  errors: readonly GraphQLError[],
  headers: Record<string, string> = {},
): Promise<void> {
  const causes = errors
    .map(originOf)
    .filter((cause) => isAppError(cause) && cause.code === 'APPROVAL_REQUIRED')
  if (causes.length === 0) return
  await openAsks(actor, causes)
  await openFactorAsks(actor, causes)
  headers['www-authenticate'] =
    'Bearer error="insufficient_user_authentication", error_description="The person has to approve this first."'
}
