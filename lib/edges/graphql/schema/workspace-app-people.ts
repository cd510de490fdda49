import { parsePage } from '@/lib/base/db/keyset'
import { listAppPeople, type PersonOfApp } from '@/lib/features/app-access/list-app-people'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { takes } from '../takes'

/** Somebody who let an app into a workspace, as its admins see them. */
export const WorkspaceAppPerson = builder.objectRef<PersonOfApp>('WorkspaceAppPerson').implement({
  description: 'Somebody who let an app into a workspace or into some of its projects.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of what they allow.' }),
    userId: t.exposeID('userId', { description: "The person's id." }),
    name: t.exposeString('name', { description: 'Their name.' }),
    scopes: t.exposeStringList('scopes', { description: 'What they allow.' }),
    wholeWorkspace: t.exposeBoolean('whole', { description: 'Whether they selected the whole workspace.' }),
    projectIds: t.idList({
      description: 'The projects of the workspace that they selected one by one.',
      resolve: ({ projects }) => projects.map(({ id }) => id),
    }),
    createdAt: t.expose('since', { type: 'DateTime', description: 'Since when.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the app last acted for them, here or elsewhere; null for never.',
    }),
  }),
})

const WorkspaceAppPersonConnection = defineConnection('WorkspaceAppPerson', WorkspaceAppPerson)

builder.queryField('workspaceAppPeople', (t) =>
  t.field({
    type: WorkspaceAppPersonConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      clientId: t.arg.id({ required: true, description: "The app's client id." }),
      ...pageArgs,
    },
    description: `The people who let an app into a workspace or its projects, the first in front. ${takes('workspace:decide-apps')}. Not for apps.`,
    resolve: (_root, { workspaceId, clientId, ...page }, { actor }) =>
      listAppPeople(actor, workspaceId, clientId, parsePage(page)),
  }),
)
