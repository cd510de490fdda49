import { parsePage } from '@/lib/base/db/paging'
import { type FailureSummary, listFailuresOf } from '@/lib/features/apps/activity/failures'
import { type AppActivity, listActivity } from '@/lib/features/apps/activity/list-activity'
import { type AppUser, pageUsers } from '@/lib/features/apps/activity/list-users'
import type { ActivityKind, activityKinds } from '@/lib/features/apps/activity/note-activity'
import {
  readAppUsage,
  readUsageOf,
  readWorkspaceUsage,
  type UsageDay,
  type UsageMeasure,
  type UsageRange,
  type UsageSlot,
} from '@/lib/features/apps/activity/read-usage'
import { revokeAllUsers, revokeUser } from '@/lib/features/apps/activity/revoke-users'
import { builder, takes } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { defineLoader } from '../context'
import { OAuthApp } from './oauth-app'

/** What an app did and what it was refused. Whoever sees an app here may manage it. */
const usageOf = defineLoader((_actor, ids) => readUsageOf(ids))
const failuresOf = defineLoader((_actor, ids) => listFailuresOf(ids))

const AppUsageDay = builder.objectRef<UsageDay>('OAuthAppUsageDay').implement({
  description: 'What an app did on one day, by UTC.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day, such as `2026-11-21`.' }),
    authorizations: t.exposeInt('authorizations', { description: 'How often somebody let it in.' }),
    tokens: t.exposeInt('tokens', { description: 'Answers with tokens, refreshes included.' }),
    requests: t.exposeInt('requests', { description: 'Requests to this API with its tokens.' }),
    errors: t.exposeInt('errors', {
      description: 'Requests of both kinds that were refused or answered with errors.',
    }),
  }),
})

const AppFailure = builder.objectRef<FailureSummary>('OAuthAppFailure').implement({
  description: 'A request of an app to the OAuth endpoints that was refused.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record.' }),
    endpoint: t.exposeString('endpoint', { description: 'What it asked, such as `token`.' }),
    error: t.exposeString('error', { description: 'The OAuth error it was answered.' }),
    description: t.exposeString('description', { description: 'What it was told.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'What only its developer is told; null where there is no more to say.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
})

builder.objectFields(OAuthApp, (t) => ({
  usage: t.field({
    type: [AppUsageDay],
    nullable: true,
    description:
      'What it did on each of the last 30 days, today included, oldest first; days without anything are there with zeros.',
    resolve: ({ id }, _args, context) => usageOf(context).load(id),
  }),
  failures: t.field({
    type: [AppFailure],
    nullable: true,
    description: 'The last requests of it that were refused, the latest first, at most 20.',
    resolve: ({ id }, _args, context) => failuresOf(context).load(id),
  }),
}))

const Range = builder.enumType('OAuthAppUsageRange', {
  description: 'How far back usage is looked at, and in which steps.',
  values: {
    DAY: { value: '24h', description: 'The last 24 hours, each of them.' },
    WEEK: { value: '7d', description: 'The last 7 days, each of them.' },
    MONTH: { value: '30d', description: 'The last 30 days, each of them.' },
  } satisfies Record<string, { value: UsageRange; description: string }>,
})

/** What is told of an hour, as it is recorded by the moment; of a day, everything else. */
const ofHours: readonly UsageMeasure[] = ['signIns', 'refused']

/** A count of the steps that have it: 0 where nothing happened, null in steps of the other kind. */
const countOf =
  (measure: UsageMeasure) =>
  ({ at, counts }: UsageSlot): number | null =>
    ofHours.includes(measure) === isHour(at) ? (counts[measure] ?? 0) : null

const isHour = (at: string): boolean => at.includes('T')

const Slot = builder.objectRef<UsageSlot>('OAuthAppUsageSlot').implement({
  description: 'What apps did in one hour or on one day (UTC).',
  fields: (t) => {
    const count = (measure: UsageMeasure, description: string) =>
      t.int({ nullable: true, description, resolve: countOf(measure) })
    return {
      at: t.field({
        type: 'DateTime',
        description: 'When it began.',
        resolve: ({ at }) => new Date(isHour(at) ? `${at}:00Z` : at),
      }),
      authorizations: count('authorizations', 'How often somebody let one in; null for an hour.'),
      tokens: count('tokens', 'Answers with tokens, refreshes included; null for an hour.'),
      requests: count('requests', 'Requests to this API with their tokens; null for an hour.'),
      errors: count(
        'errors',
        'Requests of both kinds that were refused or answered with errors; null for an hour.',
      ),
      signIns: count('signIns', 'How often somebody signed in to one; null for a day.'),
      refused: count('refused', 'Requests to the OAuth endpoints that were refused; null for a day.'),
    }
  },
})

const range = {
  type: Range,
  required: true,
  defaultValue: '30d',
  description: 'How far back.',
} as const

builder.queryFields((t) => ({
  oauthAppUsage: t.field({
    type: [Slot],
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The client id.' }), range: t.arg(range) },
    description: `What an OAuth app did, step by step, the oldest first. ${takes('workspace:manage-apps')} in its workspace.`,
    resolve: (_root, { id, range }, { actor }) => readAppUsage(actor, id, range),
  }),
  oauthAppsUsage: t.field({
    type: [Slot],
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      range: t.arg(range),
    },
    description: `What all OAuth apps of a workspace did together, step by step, the oldest first. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, { workspaceId, range }, { actor }) => readWorkspaceUsage(actor, workspaceId, range),
  }),
}))

const Person = builder.objectRef<AppUser>('OAuthAppUser').implement({
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

const PersonConnection = defineConnection('OAuthAppUser', Person)

const idArg = { required: true, description: 'The client id.' } as const

builder.queryField('oauthAppUsers', (t) =>
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
      pageUsers(actor, id, search?.trim() ?? '', parsePage(page)),
  }),
)

builder.mutationFields((t) => ({
  oauthAppUserRevoke: t.boolean({
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      userId: t.arg.id({ required: true, description: 'The ID of the user.' }),
    },
    description: `Ends what one person allows an OAuth app: its tokens for them are dead at once. ${takes('workspace:manage-apps')}. Answers true.`,
    resolve: async (_root, { id, userId }, { actor }) => {
      await revokeUser(actor, id, userId)
      return true
    },
  }),
  oauthAppUsersRevoke: t.int({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Ends what everybody allows an OAuth app. ${takes('workspace:manage-apps')}. Answers how many people that were.`,
    resolve: (_root, { id }, { actor }) => revokeAllUsers(actor, id),
  }),
}))

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
