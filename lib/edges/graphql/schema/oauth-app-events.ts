import { parsePage } from '@/lib/base/db/keyset'
import { type AppActivity, listActivity } from '@/lib/features/apps/activity/list-activity'
import type { ActivityKind, activityKinds } from '@/lib/features/apps/activity/note-activity'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { takes } from '../takes'

const Kind = builder.enumType('OAuthAppActivityKind', {
  description: 'What happened around an app.',
  values: {
    SIGNED_IN: { description: 'Somebody signed in to it: it got a code, or its device was let in.' },
    GRANTED: { description: 'Somebody let it in for the first time.' },
    CHANGED: { description: 'Somebody let it in anew, or changed what it may reach.' },
    DENIED: { description: 'Somebody was asked and said no.' },
    REVOKED: { description: 'What somebody allowed it ended.' },
    REFUSED: { description: 'A request of it was refused.' },
  } satisfies Record<keyof typeof activityKinds, object>,
})

const Activity = builder.objectRef<AppActivity>('OAuthAppActivity').implement({
  description: 'Something that happened around an app, with what the app itself may know of who it was.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record.' }),
    kind: t.field({ type: Kind, description: 'What happened.', resolve: ({ kind }) => kind }),
    userId: t.exposeString('userId', {
      nullable: true,
      description: "The person's id: the `sub` that the app knows them by; null where it is not known.",
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: "Their name; null unless they allow `profile` now or are in the app's workspace.",
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: "Their email address; null unless they allow `email` now or are in the app's workspace.",
    }),
    scopes: t.exposeStringList('scopes', { description: 'What it was about.' }),
    error: t.exposeString('error', { nullable: true, description: 'The OAuth error of a refusal.' }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'Why, as far as its developer is told.',
    }),
    ip: t.exposeString('ip', { nullable: true, description: 'The address of whoever asked.' }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'With which program.' }),
    traceId: t.exposeString('traceId', {
      nullable: true,
      description: 'The name of the request, which its answer had too.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
})

const ActivityConnection = defineConnection('OAuthAppActivity', Activity)

builder.queryField('oauthAppActivity', (t) =>
  t.field({
    type: ActivityConnection,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The client id.' }),
      kind: t.arg({ type: Kind, description: 'Of one kind alone.' }),
      search: t.arg.string({
        description: "A person's id, an IP address, a trace id, or a part of an error or its reason.",
      }),
      ...pageArgs,
    },
    description: `What happened around an OAuth app in the last 30 days, the latest first. ${takes('workspace:manage-apps')} in its workspace.`,
    resolve: (_root, { id, kind, search, ...page }, { actor }) =>
      listActivity(actor, id, parsePage(page), { kind: kind as ActivityKind | null | undefined, search }),
  }),
)
