import { badInput } from '@/lib/base/errors/app-error'
import { type Feed, Following } from '@/lib/base/live/follow'
import type { Actor } from '@/lib/policy/actor'
import { isId } from '@/lib/policy/require'
import type { GraphQLContext } from '../context'

/**
 * The `subscribe` of a field: what a feed brings, for as long as the token is worth something and the rights are there.
 * @param after the id of the last row that the caller has, to go on where a stream broke off
 * @throws AppError BAD_USER_INPUT for an `after` that is no id, and what keeps the caller from reading the feed
 */
export async function followAs<Row extends { id: string }>(
  { actor, live }: GraphQLContext,
  feed: Feed<Actor, Row>,
  after?: string | null,
): Promise<AsyncIterable<Row>> {
  if (after && !isId(after)) throw badInput('after', 'This is not the id of something in this list.')
  if (!live) throw new Error('a subscription was executed without a stream')
  const following = await Following.begin(feed, actor, after)
  return following.rows(async () => (await live.caller()).actor, live.ended)
}
