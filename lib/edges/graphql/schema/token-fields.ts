import type { ObjectFieldBuilder } from '@pothos/core'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import type { ApiToken } from '@/lib/generated/prisma/client'
import { builder, type Types } from '../builder'
import { RoleEnum } from './scalars'

/**
 * The fields that the three types of tokens share.
 * @param owner who called it so: the word for the person it acts for
 * @param prefix of its kind, as in `lk_pat_`
 */
export const tokenFields = (
  t: ObjectFieldBuilder<Types, ApiToken>,
  { owner, prefix, role = '' }: { owner: 'owner' | 'maker'; prefix: string; role?: string },
) => ({
  id: t.id({ description: 'The id of the record; not the token.', resolve: ({ id }) => id }),
  name: t.string({ description: `What its ${owner} calls it.`, resolve: ({ name }) => name }),
  displayToken: t.string({
    description: `Its first and last characters, such as \`lk_${prefix}_…abcd\`. The whole is shown only when it is made.`,
    resolve: displayToken,
  }),
  role: t.field({
    type: RoleEnum,
    description: `The most it may do, whatever role its ${owner} has.${role}`,
    resolve: (token) => token.role,
  }),
  createdAt: t.field({
    type: 'DateTime',
    description: 'When it was made.',
    resolve: ({ createdAt }) => createdAt,
  }),
  expiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it stops working; null for never.',
    resolve: ({ expiresAt }) => expiresAt,
  }),
  lastUsedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it was last used, to within a few seconds; null for never.',
    resolve: ({ lastUsedAt }) => lastUsedAt,
  }),
})

/** Which tokens to list. */
const TokenFilterInput = builder.inputType('TokenFilter', {
  description: 'Which tokens to list; all where nothing is said.',
  fields: (t) => ({
    expiresBefore: t.field({ type: 'DateTime', description: 'Only those that stop working before this.' }),
    unusedSince: t.field({
      type: 'DateTime',
      description: 'Only those that were not used from then on, or never.',
    }),
  }),
})

/** In which order to list tokens. */
const TokenOrderEnum = builder.enumType('TokenOrder', {
  description: 'The order of a list of tokens.',
  values: {
    CREATED: { description: 'Those made first in front.' },
    EXPIRES: { description: 'Those that stop working first in front; those that never do come last.' },
  } as const,
})

/** What the lists of tokens take besides their pages. */
export const tokenListArgs = builder.args((t) => ({
  filter: t.field({ type: TokenFilterInput, description: 'Which of them.' }),
  orderBy: t.field({
    type: TokenOrderEnum,
    description: 'In which order: CREATED unless given. A cursor counts in its own order alone.',
  }),
}))
