import { type FailureSummary, listFailuresOf } from '@/lib/features/apps/activity/failures'
import { readUsageOf, type UsageDay } from '@/lib/features/apps/activity/read-usage'
import { builder } from '../builder'
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
