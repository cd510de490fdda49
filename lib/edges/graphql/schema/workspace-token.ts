import { listWorkspaceTokens, type WorkspaceTokenRow } from '@/lib/features/api-tokens/list-api-tokens'
import { revokeWorkspaceToken } from '@/lib/features/api-tokens/revoke-api-token'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { takes } from '../takes'
import { tokenFields, tokenListArgs } from './token-fields'

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
