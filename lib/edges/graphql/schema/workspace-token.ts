import { parsePage } from '@/lib/base/db/keyset'
import { displayToken } from '@/lib/features/api-tokens/list-api-tokens'
import { listWorkspaceTokens, type WorkspaceTokenRow } from '@/lib/features/api-tokens/list-workspace-tokens'
import { revokeWorkspaceToken } from '@/lib/features/api-tokens/revoke-api-token'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { RoleEnum } from './scalars'

const WorkspaceToken = builder.objectRef<WorkspaceTokenRow>('WorkspaceToken').implement({
  description:
    'A token made for a workspace or for one of its projects, as the admins of the workspace see it. It acts for the person who made it, capped by its role.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record; not the token.' }),
    name: t.exposeString('name', { description: 'What its maker calls it.' }),
    displayToken: t.string({
      description:
        'Its first and last characters, such as `lk_wst_…abcd`. The whole is shown only when it is made.',
      resolve: displayToken,
    }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The one project it reaches; null for the whole workspace.',
    }),
    userId: t.exposeID('userId', { description: 'The person who made it, and for whom it acts.' }),
    role: t.expose('role', {
      type: RoleEnum,
      description: 'The most it may do, whatever role its maker has.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stops working; null for never.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to within a few seconds; null for never.',
    }),
  }),
})

const WorkspaceTokenConnection = defineConnection('WorkspaceToken', WorkspaceToken)

builder.queryField('workspaceTokens', (t) =>
  t.field({
    type: WorkspaceTokenConnection,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }), ...pageArgs },
    description:
      'The tokens made for a workspace and for its projects, whoever made them, oldest first. Takes the role ADMIN.',
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      listWorkspaceTokens(actor, workspaceId, parsePage(page)),
  }),
)

builder.mutationField('workspaceTokenDelete', (t) =>
  t.boolean({
    args: { id: t.arg.id({ required: true, description: 'The id of the record.' }) },
    description:
      'Revokes a token made for a workspace or for one of its projects at once, whoever made it. Takes the role ADMIN in the workspace. Answers true.',
    resolve: async (_root, { id }, { actor }) => {
      await revokeWorkspaceToken(actor, id)
      return true
    },
  }),
)
