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
import { builder, describeRole } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { defineLoader } from '../context'
import { OAuthApp } from './oauth-app'

/**
 * Loaders for the usage and failures of apps. They do not authorize the caller, because the API returns an
 * `OAuthApp` only to callers who can manage the app.
 */
const usageOf = defineLoader((_actor, ids) => readUsageOf(ids))
const failuresOf = defineLoader((_actor, ids) => listFailuresOf(ids))

const AppUsageDay = builder.objectRef<UsageDay>('OAuthAppUsageDay').implement({
  description: 'The usage of an app on one day (UTC).',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The date, such as `2026-11-21`.' }),
    authorizations: t.exposeInt('authorizations', {
      description:
        'The number of times that users authorized the app or signed in to it without a consent page.',
    }),
    tokens: t.exposeInt('tokens', { description: 'The number of token responses, including refreshes.' }),
    requests: t.exposeInt('requests', {
      description: 'The number of requests to this API with the app’s tokens.',
    }),
    errors: t.exposeInt('errors', {
      description: 'The number of OAuth and API requests that were rejected or failed.',
    }),
  }),
})

const AppFailure = builder.objectRef<FailureSummary>('OAuthAppFailure').implement({
  description: 'A rejected request from an app to an OAuth endpoint.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the rejected request.' }),
    endpoint: t.exposeString('endpoint', { description: 'The endpoint, such as `token`.' }),
    error: t.exposeString('error', { description: 'The OAuth error code in the response.' }),
    description: t.exposeString('description', { description: 'The error description in the response.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description:
        'The reason, which only the app’s developers can see. Null if there are no further details.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the request was rejected.' }),
  }),
})

builder.objectFields(OAuthApp, (t) => ({
  usage: t.field({
    type: [AppUsageDay],
    nullable: true,
    description:
      'The app’s usage on each of the last 30 days, including today, oldest first. Days without usage are included.',
    resolve: ({ id }, _args, context) => usageOf(context).load(id),
  }),
  failures: t.field({
    type: [AppFailure],
    nullable: true,
    description: 'The app’s most recent rejected requests, newest first. Maximum: 20.',
    resolve: ({ id }, _args, context) => failuresOf(context).load(id),
  }),
}))

const Range = builder.enumType('OAuthAppUsageRange', {
  description: 'The period of a usage report and its interval length.',
  values: {
    DAY: { value: '24h', description: 'The last 24 hours, by hour.' },
    WEEK: { value: '7d', description: 'The last 7 days, by day.' },
    MONTH: { value: '30d', description: 'The last 30 days, by day.' },
  } satisfies Record<string, { value: UsageRange; description: string }>,
})

/** The counts that exist only per hour. All other counts exist only per day. */
const ofHours: readonly UsageMeasure[] = ['signIns', 'refused']

/**
 * Returns a resolver for a count. The resolver returns null if the count does not exist for intervals of this
 * length.
 */
const countOf =
  (measure: UsageMeasure) =>
  ({ at, counts }: UsageSlot): number | null =>
    ofHours.includes(measure) === isHour(at) ? (counts[measure] ?? 0) : null

const isHour = (at: string): boolean => at.includes('T')

const Slot = builder.objectRef<UsageSlot>('OAuthAppUsageSlot').implement({
  description: 'The usage of apps in one hour or on one day (UTC).',
  fields: (t) => {
    const count = (measure: UsageMeasure, description: string) =>
      t.int({ nullable: true, description, resolve: countOf(measure) })
    return {
      at: t.field({
        type: 'DateTime',
        description: 'When the interval began.',
        resolve: ({ at }) => new Date(isHour(at) ? `${at}:00Z` : at),
      }),
      authorizations: count(
        'authorizations',
        'The number of times that users authorized an app. Null if the interval is an hour.',
      ),
      tokens: count(
        'tokens',
        'The number of token responses, including refreshes. Null if the interval is an hour.',
      ),
      requests: count(
        'requests',
        'The number of requests to this API with the apps’ tokens. Null if the interval is an hour.',
      ),
      errors: count(
        'errors',
        'The number of OAuth and API requests that were rejected or failed. Null if the interval is an hour.',
      ),
      signIns: count('signIns', 'The number of sign-ins. Null if the interval is a day.'),
      refused: count(
        'refused',
        'The number of rejected requests to the OAuth endpoints. Null if the interval is a day.',
      ),
    }
  },
})

const range = {
  type: Range,
  required: true,
  defaultValue: '30d',
  description: 'The period.',
} as const

builder.queryFields((t) => ({
  oauthAppUsage: t.field({
    type: [Slot],
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The client ID of the app.' }), range: t.arg(range) },
    description: `The usage of an OAuth app by interval, oldest first. ${describeRole('workspace:manage-apps')} in its workspace.`,
    resolve: (_root, { id, range }, { actor }) => readAppUsage(actor, id, range),
  }),
  oauthAppsUsage: t.field({
    type: [Slot],
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      range: t.arg(range),
    },
    description: `The total usage of all OAuth apps in a workspace for each interval, oldest first. ${describeRole('workspace:manage-apps')}.`,
    resolve: (_root, { workspaceId, range }, { actor }) => readWorkspaceUsage(actor, workspaceId, range),
  }),
}))

const User = builder.objectRef<AppUser>('OAuthAppUser').implement({
  description: 'A user who authorized an app, with the data that the app’s admins can see.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the authorization.' }),
    userId: t.exposeID('userId', {
      description: 'The ID of the user, which is also the `sub` that the app receives.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description:
        'The user’s name. Null if the user did not grant the `profile` scope and is not a member of the app’s workspace.',
    }),
    email: t.exposeString('email', {
      nullable: true,
      description:
        'The user’s email address. Null unless the user granted the `email` scope or is a member of the app’s workspace.',
    }),
    scopes: t.exposeStringList('scopes', { description: 'The scopes that the user granted.' }),
    createdAt: t.expose('since', { type: 'DateTime', description: 'When the user authorized the app.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the app last used the authorization. Null if the app never used it.',
    }),
  }),
})

const UserConnection = defineConnection('OAuthAppUser', User)

const idArg = { required: true, description: 'The client ID of the app.' } as const

builder.queryField('oauthAppUsers', (t) =>
  t.field({
    type: UserConnection,
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      search: t.arg.string({
        description:
          'The text to search for: a user ID, or part of a name or email address that the app’s admins can see.',
      }),
      ...pageArgs,
    },
    description: `The users who authorized an OAuth app, newest first. ${describeRole('workspace:manage-apps')} in its workspace.`,
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
    description: `Revokes one user’s authorization of an OAuth app. The app’s tokens for the user stop working immediately. Returns true. ${describeRole('workspace:manage-apps')}.`,
    resolve: async (_root, { id, userId }, { actor }) => {
      await revokeUser(actor, id, userId)
      return true
    },
  }),
  oauthAppUsersRevoke: t.int({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Revokes all users’ authorizations of an OAuth app and returns the number of users. ${describeRole('workspace:manage-apps')}.`,
    resolve: (_root, { id }, { actor }) => revokeAllUsers(actor, id),
  }),
}))

const Kind = builder.enumType('OAuthAppActivityKind', {
  description: 'The kind of app activity.',
  values: {
    SIGNED_IN: {
      description:
        'A user signed in to the app: the app received a code, or the device that runs it was authorized.',
    },
    GRANTED: { description: 'A user authorized the app for the first time.' },
    CHANGED: { description: 'A user authorized the app again or changed its access.' },
    DENIED: { description: 'A user denied authorization.' },
    REVOKED: { description: 'A user’s authorization ended.' },
    REFUSED: { description: 'A request from the app was rejected.' },
  } satisfies Record<keyof typeof activityKinds, object>,
})

const Activity = builder.objectRef<AppActivity>('OAuthAppActivity').implement({
  description: 'An event in an app’s activity, with only the user data that the app itself can read.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the event.' }),
    kind: t.field({ type: Kind, description: 'The kind of event.', resolve: ({ kind }) => kind }),
    userId: t.exposeString('userId', {
      nullable: true,
      description:
        'The ID of the user, which is also the `sub` that the app receives. Null if the user is unknown.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description:
        'The user’s name. Null if the user does not currently grant the `profile` scope and is not a member of the app’s workspace.',
    }),
    email: t.exposeString('email', {
      nullable: true,
      description:
        'The user’s email address. Null unless the user currently grants the `email` scope or is a member of the app’s workspace.',
    }),
    scopes: t.exposeStringList('scopes', { description: 'The scopes involved in the event.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'The OAuth error code. Null unless a request was rejected.',
    }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'The reason for the event, as shown to the app’s developers. Null if there is none.',
    }),
    ip: t.exposeString('ip', {
      nullable: true,
      description: 'The IP address of the caller. Null if it is unknown.',
    }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'The `User-Agent` header that the caller sent. Null if it is unknown.',
    }),
    traceId: t.exposeString('traceId', {
      nullable: true,
      description: 'The trace ID of the request. The response also contains it. Null if it is unknown.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event happened.' }),
  }),
})

const ActivityConnection = defineConnection('OAuthAppActivity', Activity)

builder.queryField('oauthAppActivity', (t) =>
  t.field({
    type: ActivityConnection,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The client ID of the app.' }),
      kind: t.arg({ type: Kind, description: 'Returns only events of this kind.' }),
      search: t.arg.string({
        description:
          'The text to search for: a user ID, an IP address, a trace ID, or part of an error or its reason.',
      }),
      ...pageArgs,
    },
    description: `The activity of an OAuth app in the last 30 days, newest event first. ${describeRole('workspace:manage-apps')} in its workspace.`,
    resolve: (_root, { id, kind, search, ...page }, { actor }) =>
      listActivity(actor, id, parsePage(page), { kind: kind as ActivityKind | null | undefined, search }),
  }),
)
