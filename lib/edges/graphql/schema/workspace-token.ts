import type { ObjectFieldBuilder } from '@pothos/core'
import {
  displayToken,
  listWorkspaceTokens,
  type WorkspaceTokenRow,
} from '@/lib/features/api-tokens/list-api-tokens'
import { revokeWorkspaceToken } from '@/lib/features/api-tokens/revoke-api-token'
import type { ApiToken } from '@/lib/generated/prisma/client'
import { builder, describeRole, type Types } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { RoleEnum } from './scalars'

/**
 * Returns the fields that the three types of tokens share.
 * @param owner the term that the descriptions use for the user on whose behalf the token acts
 * @param prefix the prefix of the token type, as in `lk_pat_`
 * @param role a space and a sentence to append to the description of the `role` field
 */
export const tokenFields = (
  t: ObjectFieldBuilder<Types, ApiToken>,
  { owner, prefix, role = '' }: { owner: 'owner' | 'creator'; prefix: string; role?: string },
) => ({
  id: t.id({ description: 'The ID of the token. It is not the secret value.', resolve: ({ id }) => id }),
  name: t.string({
    description: `The name of the token, chosen by its ${owner}.`,
    resolve: ({ name }) => name,
  }),
  displayToken: t.string({
    description: `The first and last characters of the token, such as \`lk_${prefix}_…abcd\`. The full token is shown only when it is created.`,
    resolve: displayToken,
  }),
  role: t.field({
    type: RoleEnum,
    description: `The highest role that the token can use, even if its ${owner} has a higher role.${role}`,
    resolve: (token) => token.role,
  }),
  createdAt: t.field({
    type: 'DateTime',
    description: 'When the token was created.',
    resolve: ({ createdAt }) => createdAt,
  }),
  expiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the token expires. Null if it never expires.',
    resolve: ({ expiresAt }) => expiresAt,
  }),
  lastUsedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the token was last used, accurate to a few seconds. Null if it was never used.',
    resolve: ({ lastUsedAt }) => lastUsedAt,
  }),
})

const TokenFilterInput = builder.inputType('TokenFilter', {
  description: 'A filter for a list of tokens. If no field is set, it matches all tokens.',
  fields: (t) => ({
    expiresBefore: t.field({
      type: 'DateTime',
      description: 'Returns only tokens that expire before this time.',
    }),
    unusedSince: t.field({
      type: 'DateTime',
      description: 'Returns only tokens that have not been used since this time, or were never used.',
    }),
  }),
})

const TokenOrderEnum = builder.enumType('TokenOrder', {
  description: 'A sort order for a list of tokens.',
  values: {
    CREATED: { description: 'Oldest first.' },
    EXPIRES: { description: 'By expiry, earliest first. Tokens that do not expire come last.' },
  } as const,
})

/** The arguments of the token lists at the query root, in addition to the page arguments. */
export const tokenListArgs = builder.args((t) => ({
  filter: t.field({ type: TokenFilterInput, description: 'The tokens to return. Default: all.' }),
  orderBy: t.field({
    type: TokenOrderEnum,
    description:
      'The order of the list. Default: CREATED. A cursor is valid only with the same `orderBy` value that it was returned for.',
  }),
}))

/** A token of a workspace or of one of its projects, as visible to the workspace's admins. */
export const WorkspaceToken = builder.objectRef<WorkspaceTokenRow>('WorkspaceToken').implement({
  description:
    'A token of a workspace or of one of its projects, as shown to the workspace’s admins. It acts for the user who created it, with the lower of the token’s role and the user’s role.',
  fields: (t) => ({
    ...tokenFields(t, { owner: 'creator', prefix: 'wst' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description:
        'The ID of the only project that the token can access. Null if the token can access the whole workspace.',
    }),
    environmentId: t.exposeID('environmentId', {
      nullable: true,
      description:
        'The ID of the only environment that the token can access. Null if the token is not limited to one environment.',
    }),
    userId: t.exposeID('userId', {
      description: 'The ID of the user who created the token. The token acts for this user.',
    }),
  }),
})

export const WorkspaceTokenConnection = defineConnection('WorkspaceToken', WorkspaceToken)

builder.queryField('workspaceTokens', (t) =>
  t.field({
    type: WorkspaceTokenConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      ...tokenListArgs,
      ...pageArgs,
    },
    description: `The tokens of a workspace and its projects, regardless of who created them, oldest first. ${describeRole('workspace:manage-tokens')}.`,
    resolve: (_root, { workspaceId, filter, ...page }, { actor }) =>
      listWorkspaceTokens(actor, workspaceId, page, filter ?? {}),
  }),
)

builder.mutationField('workspaceTokenDelete', (t) =>
  t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the token.' }) },
    description: `Revokes a token of a workspace or of one of its projects, regardless of who created it. It stops working immediately. Returns true. ${describeRole('workspace:manage-tokens')} in the workspace.`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeWorkspaceToken(actor, id)
      return true
    },
  }),
)
