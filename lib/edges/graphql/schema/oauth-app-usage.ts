import {
  readAppUsage,
  readWorkspaceUsage,
  type UsageMeasure,
  type UsageRange,
  type UsageSlot,
} from '@/lib/features/apps/activity/read-usage'
import { builder } from '../builder'
import { takes } from '../takes'

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
