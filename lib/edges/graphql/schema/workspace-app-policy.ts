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
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Workspace } from './workspace'

const AppPolicyEnum = builder.enumType('AppPolicy', {
  description: 'Which OAuth apps a workspace lets in.',
  values: {
    OPEN: { description: "Everybody's apps, except blocked ones." },
    APPROVED: { description: 'Apps that its admins approved, and its own.' },
    OWN: { description: 'Its own apps alone.' },
  } satisfies Record<(typeof appPolicies)[number], { description: string }>,
})

builder.objectField(Workspace, 'appPolicy', (t) =>
  t.expose('appPolicy', { type: AppPolicyEnum, description: 'Which OAuth apps it lets in.' }),
)

const WorkspaceAppLoss = builder.objectRef<Loss>('WorkspaceAppLoss').implement({
  description: 'What an app would lose under another policy.',
  fields: (t) => ({
    clientId: t.exposeID('id', { description: 'Its client id.' }),
    name: t.exposeString('name', { description: 'Its name, as people see it.' }),
    userCount: t.exposeInt('people', {
      description: 'The number of users who authorized the app, if it would lose that access. Otherwise 0.',
    }),
    everything: t.boolean({
      description: 'Whether it would be kept out altogether; otherwise it would come in less far than now.',
      resolve: ({ loses }) => loses === 'everything',
    }),
    installation: t.exposeBoolean('installed', {
      description: 'Whether it would lose what it was installed for.',
    }),
    managed: t.exposeBoolean('managed', {
      description: "Whether it would lose what the workspace's identity provider sends it for.",
    }),
  }),
})

const WorkspaceAppLossConnection = defineConnection('WorkspaceAppLoss', WorkspaceAppLoss, ({ place }) =>
  cursorOfPlace(place),
)

const takesDecider = `${takes('workspace:decide-apps')}. Not for apps.`
const workspaceArg = { required: true, description: 'The workspace.' } as const
const policyArg = { type: AppPolicyEnum, required: true, description: 'The policy.' } as const

const tooMany = () =>
  new AppError(
    'QUERY_TOO_COMPLEX',
    `The workspace has more than ${mostPreviewed} apps, too many for a preview. You can change the policy without it.`,
  )

builder.queryField('workspaceAppPolicyPreview', (t) =>
  t.field({
    type: WorkspaceAppLossConnection,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg), policy: t.arg(policyArg), ...pageArgs },
    description: `The apps that would be cut off, or come in less far, under another policy, by name. ${takesDecider}`,
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
    description: `Changes which apps come in. What it excludes is cut off at its next request. ${takesDecider}`,
    resolve: (_root, { workspaceId, policy }, { actor }) => setPolicy(actor, workspaceId, { policy }),
  }),
)
const WorkspaceAppRequest = builder.objectRef<AppRequest>('WorkspaceAppRequest').implement({
  description: 'Somebody asks the admins of a workspace to let an app in.',
  fields: (t) => ({
    clientId: t.exposeID('clientId', { description: "The app's client id." }),
    name: t.exposeString('name', { description: "The app's name." }),
    userId: t.exposeID('userId', { description: 'Who asks.' }),
    userName: t.exposeString('person', { description: 'The name of the user who requested the app.' }),
    scopes: t.exposeStringList('scopes', { description: 'The workspace and project scopes that it wants.' }),
    reason: t.exposeString('reason', { description: 'Why; may be empty.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked.' }),
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
      search: t.arg.string({ description: 'Part of the name of an app or of who asks, or of a client id.' }),
      ...pageArgs,
    },
    description: `The open requests to let an app in, the oldest first. ${takesDecider}`,
    resolve: (_root, { workspaceId, search, ...page }, { actor }) =>
      listRequests(actor, workspaceId, parseTextPage(page), { search }),
  }),
}))

builder.mutationFields((t) => ({
  workspaceAppRequestDecline: t.boolean({
    nullable: true,
    args: {
      workspaceId: t.arg.id(workspaceArg),
      clientId: t.arg.id({ required: true, description: "The app's client id." }),
      note: t.arg.string({ description: 'A word for those who asked, at most 500 characters.' }),
    },
    description: `Declines what was asked for an app; those who asked are told. Answers true. ${takesDecider}`,
    resolve: async (_root, { workspaceId, clientId, note }, { actor }) => {
      await declineRequests(actor, workspaceId, clientId, { word: note })
      return true
    },
  }),
}))

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
