import { setRequiredApprovals } from '@/lib/features/app-access/policy'
import { type SensitiveAction, sensitiveActions, workspaceActions } from '@/lib/policy/approvals'
import { builder } from '../builder'
import { takes } from '../takes'
import { Workspace } from './workspace'

/** `project:delete` as GraphQL can spell it. */
const nameOf = (permission: string): string => permission.toUpperCase().replace(/[:-]/g, '_')

const SensitiveActionEnum = builder.enumType('SensitiveAction', {
  description: 'A sensitive action. A workspace can require the user’s approval before an app performs it.',
  values: Object.fromEntries(
    workspaceActions.map((value): [string, { value: SensitiveAction; description: string }] => [
      nameOf(value),
      { value, description: `${sensitiveActions[value].label}.` },
    ]),
  ),
})

builder.objectField(Workspace, 'requiresApprovalFor', (t) =>
  t.field({
    type: [SensitiveActionEnum],
    description:
      'The actions for which apps need the user’s approval in this workspace. The instance can require more.',
    resolve: ({ requiresApprovalFor }) =>
      workspaceActions.filter((action) => requiresApprovalFor.includes(action)),
  }),
)

builder.mutationField('workspaceRequiredApprovalsUpdate', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      requiresApprovalFor: t.arg({
        type: [SensitiveActionEnum],
        required: true,
        description: 'All of the actions that require approval. An empty list requires none.',
      }),
    },
    description: `Sets the actions that require the user’s approval. ${takes('workspace:decide-apps')}. Not for apps.`,
    resolve: (_root, { workspaceId, requiresApprovalFor }, { actor }) =>
      setRequiredApprovals(actor, workspaceId, { requiresApprovalFor }),
  }),
)
