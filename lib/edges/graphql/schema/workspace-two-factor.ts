import { requireTwoFactorInWorkspace } from '@/lib/features/identity/two-factor/require-in-workspace'
import { builder } from '../builder'
import { takes } from '../takes'
import { Workspace } from './workspace'

builder.mutationField('workspaceTwoFactorUpdate', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      required: t.arg.boolean({
        required: true,
        description: 'Whether its people enter only after a sign-in with a second step.',
      }),
    },
    description: `Demands two-factor of the people of a workspace, or no longer; whoever demands it comes in by two factors. ${takes('workspace:update')}. Not for apps, nor for tokens of a workspace.`,
    resolve: (_root, { workspaceId, required }, { actor }) =>
      requireTwoFactorInWorkspace(actor, workspaceId, required),
  }),
)
