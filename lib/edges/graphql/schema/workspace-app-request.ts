import { cursorOfPlace, parseTextPage } from '@/lib/base/db/page-of-all'
import { declineRequests } from '@/lib/features/app-access/decide'
import { type AppRequest, listRequests } from '@/lib/features/app-access/requests'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { takes } from '../takes'

const takesDecider = `${takes('workspace:decide-apps')}. Not for apps.`
const workspaceArg = { required: true, description: 'The workspace.' } as const

const WorkspaceAppRequest = builder.objectRef<AppRequest>('WorkspaceAppRequest').implement({
  description: 'Somebody asks the admins of a workspace to let an app in.',
  fields: (t) => ({
    clientId: t.exposeID('clientId', { description: "The app's client id." }),
    name: t.exposeString('name', { description: "The app's name." }),
    userId: t.exposeID('userId', { description: 'Who asks.' }),
    person: t.exposeString('person', { description: 'The name of whoever asks.' }),
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
