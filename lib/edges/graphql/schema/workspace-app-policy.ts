import { cursorOfPlace, pageOfAll, parseTextPage } from '@/lib/base/db/page-of-all'
import { AppError } from '@/lib/base/errors/app-error'
import type { appPolicies } from '@/lib/features/app-access/input'
import { type Loss, mostPreviewed, previewPolicy, setPolicy } from '@/lib/features/app-access/policy'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { takes } from '../takes'
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
    people: t.exposeInt('people', {
      description: 'How many people let it in, where it would lose what they allow it; otherwise 0.',
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
    `The workspace has more than ${mostPreviewed} apps, too many to say what each would lose. Its policy can be changed without.`,
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
