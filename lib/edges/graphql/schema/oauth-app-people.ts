import { parsePage } from '@/lib/base/db/keyset'
import { type PersonOfApp, pagePeople } from '@/lib/features/apps/activity/list-people'
import { revokeEverybody, revokePerson } from '@/lib/features/apps/activity/revoke-people'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { takes } from '../takes'

const Person = builder.objectRef<PersonOfApp>('OAuthAppPerson').implement({
  description: 'Somebody who let an app in, with what the app itself may know of them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of what they allow.' }),
    userId: t.exposeID('userId', { description: "The person's id: the `sub` that the app knows them by." }),
    name: t.exposeString('name', {
      nullable: true,
      description: "Their name; null unless they allow `profile` or are in the app's workspace.",
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: "Their email address; null unless they allow `email` or are in the app's workspace.",
    }),
    scopes: t.exposeStringList('scopes', { description: 'What they allow.' }),
    createdAt: t.expose('since', { type: 'DateTime', description: 'Since when.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the app last acted for them; null for never.',
    }),
  }),
})

const PersonConnection = defineConnection('OAuthAppPerson', Person)

const idArg = { required: true, description: 'The client id.' } as const

builder.queryField('oauthAppPeople', (t) =>
  t.field({
    type: PersonConnection,
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      search: t.arg.string({
        description: "A part of a name or email address that the app's admins see, or a person's id.",
      }),
      ...pageArgs,
    },
    description: `The people who let an OAuth app in, the latest first. ${takes('workspace:manage-apps')} in its workspace.`,
    resolve: (_root, { id, search, ...page }, { actor }) =>
      pagePeople(actor, id, search?.trim() ?? '', parsePage(page)),
  }),
)

builder.mutationFields((t) => ({
  oauthAppPersonRevoke: t.boolean({
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      personId: t.arg.id({ required: true, description: 'The `id` of an OAuthAppPerson.' }),
    },
    description: `Ends what one person allows an OAuth app: its tokens for them are dead at once. ${takes('workspace:manage-apps')}. Answers true.`,
    resolve: async (_root, { id, personId }, { actor }) => {
      await revokePerson(actor, id, personId)
      return true
    },
  }),
  oauthAppPeopleRevoke: t.int({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Ends what everybody allows an OAuth app. ${takes('workspace:manage-apps')}. Answers how many people that were.`,
    resolve: (_root, { id }, { actor }) => revokeEverybody(actor, id),
  }),
}))
