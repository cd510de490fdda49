import { cursorOfPlace, pageOfAll, parseTextPage } from '@/lib/base/db/paging'
import { AppError } from '@/lib/base/errors/app-error'
import { declineRequests } from '@/lib/features/app-access/decide'
import type { appPolicies } from '@/lib/features/app-access/input'
import {
  type Loss,
  mostPreviewed,
  previewPolicy,
  setPolicy,
  setRequiredApprovals,
} from '@/lib/features/app-access/policy'
import { type AppRequest, listRequests } from '@/lib/features/app-access/requests'
import { type SensitiveAction, sensitiveActions, workspaceActions } from '@/lib/policy/approvals'
import { builder, describeRole, notForApps } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Workspace } from './workspace'

const AppPolicyEnum = builder.enumType('AppPolicy', {
  description: 'A policy that decides which OAuth apps can access a workspace.',
  values: {
    OPEN: { description: 'All apps except blocked ones.' },
    APPROVED: { description: 'Only apps that an admin approved, and the workspace’s own apps.' },
    OWN: { description: 'Only the workspace’s own apps.' },
  } satisfies Record<(typeof appPolicies)[number], { description: string }>,
})

builder.objectField(Workspace, 'appPolicy', (t) =>
  t.expose('appPolicy', {
    type: AppPolicyEnum,
    description: 'The policy that decides which OAuth apps can access the workspace.',
  }),
)

const WorkspaceAppLoss = builder.objectRef<Loss>('WorkspaceAppLoss').implement({
  description: 'An app that would lose some or all of its access under another policy.',
  fields: (t) => ({
    clientId: t.exposeID('id', { description: 'The client ID of the app.' }),
    name: t.exposeString('name', { description: 'The name of the app.' }),
    userCount: t.exposeInt('users', {
      description:
        'The number of users who authorized the app. 0 if the app would keep the access that they authorized.',
    }),
    everything: t.boolean({
      description: 'Whether the app would lose all access. If false, it would keep part of its access.',
      resolve: ({ loses }) => loses === 'everything',
    }),
    installation: t.exposeBoolean('installed', {
      description: 'Whether the app would lose its installation’s access.',
    }),
    managed: t.exposeBoolean('managed', {
      description: 'Whether the app would lose its SSO-managed access.',
    }),
  }),
})

const WorkspaceAppLossConnection = defineConnection('WorkspaceAppLoss', WorkspaceAppLoss, ({ place }) =>
  cursorOfPlace(place),
)

const requiresDecider = `${describeRole('workspace:decide-apps')}. ${notForApps}`
const workspaceArg = { required: true, description: 'The ID of the workspace.' } as const
const policyArg = { type: AppPolicyEnum, required: true, description: 'The policy.' } as const

const tooMany = () =>
  new AppError(
    'QUERY_TOO_COMPLEX',
    `The workspace has more than ${mostPreviewed} apps, which is too many for a preview. You can change the policy without a preview.`,
  )

builder.queryField('workspaceAppPolicyPreview', (t) =>
  t.field({
    type: WorkspaceAppLossConnection,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), policy: t.arg(policyArg), ...pageArgs },
    description: `The apps that would lose some or all of their access under another policy, ordered by name. ${requiresDecider}`,
    resolve: async (_root, { workspaceId, policy, ...page }, { actor }) => {
      const losses = await previewPolicy(actor, workspaceId, policy)
      if (!losses) throw tooMany()
      return pageOfAll(losses, ({ place }) => place, parseTextPage(page))
    },
  }),
)

builder.mutationField('workspaceAppPolicyUpdate', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      policy: t.arg(policyArg),
    },
    description: `Changes the app policy of a workspace. Apps that the new policy excludes lose access at their next request. The policy OPEN also approves all open requests for apps that are not blocked. ${requiresDecider}`,
    resolve: (_root, { workspaceId, policy }, { actor }) => setPolicy(actor, workspaceId, { policy }),
  }),
)
const WorkspaceAppRequest = builder.objectRef<AppRequest>('WorkspaceAppRequest').implement({
  description: 'A user’s request to the admins of a workspace to approve an app.',
  fields: (t) => ({
    clientId: t.exposeID('clientId', { description: 'The client ID of the app.' }),
    name: t.exposeString('name', { description: 'The name of the app.' }),
    userId: t.exposeID('userId', { description: 'The ID of the user who requested the app.' }),
    userName: t.exposeString('user', { description: 'The name of the user who requested the app.' }),
    scopes: t.exposeStringList('scopes', {
      description: 'The workspace and project scopes that the app requests.',
    }),
    reason: t.exposeString('reason', { description: 'The reason that the user gave. It can be empty.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user requested the app.' }),
  }),
})

const WorkspaceAppRequestConnection = defineConnection('WorkspaceAppRequest', WorkspaceAppRequest, ({ id }) =>
  cursorOfPlace(id),
)

builder.queryFields((t) => ({
  workspaceAppRequests: t.field({
    type: WorkspaceAppRequestConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      search: t.arg.string({
        description:
          'The text to search for: part of an app’s name or client ID, or of the name of the user who requested the app.',
      }),
      ...pageArgs,
    },
    description: `The open requests to approve an app, oldest first. ${requiresDecider}`,
    resolve: (_root, { workspaceId, search, ...page }, { actor }) =>
      listRequests(actor, workspaceId, parseTextPage(page), { search }),
  }),
}))

builder.mutationFields((t) => ({
  workspaceAppRequestDecline: t.boolean({
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      clientId: t.arg.id({ required: true, description: 'The client ID of the app.' }),
      note: t.arg.string({
        description: 'A note to the users who requested the app: up to 500 characters.',
      }),
    },
    description: `Declines the requests for an app and notifies the users who requested it. Returns true. ${requiresDecider}`,
    resolve: async (_root, { workspaceId, clientId, note }, { actor }) => {
      await declineRequests(actor, workspaceId, clientId, { word: note })
      return true
    },
  }),
}))

/** Returns the enum value for a permission, such as `PROJECT_DELETE`. */
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
      'The actions for which apps need the user’s approval in this workspace. The instance can require approval for additional actions.',
    resolve: ({ requiresApprovalFor }) =>
      workspaceActions.filter((action) => requiresApprovalFor.includes(action)),
  }),
)

builder.mutationField('workspaceRequiredApprovalsUpdate', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      requiresApprovalFor: t.arg({
        type: [SensitiveActionEnum],
        required: true,
        description:
          'The complete list of actions that require approval. To require no approvals, pass an empty list.',
      }),
    },
    description: `Sets the actions that require the user’s approval. ${describeRole('workspace:decide-apps')}. ${notForApps}`,
    resolve: (_root, { workspaceId, requiresApprovalFor }, { actor }) =>
      setRequiredApprovals(actor, workspaceId, { requiresApprovalFor }),
  }),
)
