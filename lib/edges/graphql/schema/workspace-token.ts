import type { ObjectFieldBuilder } from '@pothos/core'
import {
  displayToken,
  listWorkspaceTokens,
  type WorkspaceTokenRow,
} from '@/lib/features/api-tokens/list-api-tokens'
import { revokeWorkspaceToken } from '@/lib/features/api-tokens/revoke-api-token'
import type { ApiToken } from '@/lib/generated/prisma/client'
import { builder, type Types, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
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

/** A token as admins of its workspace see it. */
export const WorkspaceToken = builder.objectRef<WorkspaceTokenRow>('WorkspaceToken').implement({
  description:
    'A token made for a workspace or for one of its projects, as the admins of the workspace see it. It acts for the person who made it, capped by its role.',
  fields: (t) => ({
    ...tokenFields(t, { owner: 'maker', prefix: 'wst' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The one project it reaches; null for the whole workspace.',
    }),
    environmentId: t.exposeID('environmentId', {
      nullable: true,
      description: 'The one environment of the project it reaches; null for all of them.',
    }),
    userId: t.exposeID('userId', { description: 'The person who made it, and for whom it acts.' }),
  }),
})

/** A page of such tokens. */
export const WorkspaceTokenConnection = defineConnection('WorkspaceToken', WorkspaceToken)

builder.queryField('workspaceTokens', (t) =>
  t.field({
    type: WorkspaceTokenConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      ...tokenListArgs,
      ...pageArgs,
    },
    description: `The tokens made for a workspace and for its projects, whoever made them, oldest first. ${takes('workspace:manage-tokens')}.`,
    resolve: (_root, { workspaceId, filter, ...page }, { actor }) =>
      listWorkspaceTokens(actor, workspaceId, page, filter ?? {}),
  }),
)

builder.mutationField('workspaceTokenDelete', (t) =>
  t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The id of the record.' }) },
    description: `Revokes a token made for a workspace or for one of its projects at once, whoever made it. ${takes('workspace:manage-tokens')} in the workspace. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeWorkspaceToken(actor, id)
      return true
    },
  }),
)
