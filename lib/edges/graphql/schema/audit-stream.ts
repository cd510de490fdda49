import { readStream, type StreamState } from '@/lib/features/audit-streams/read-stream'
import { recordedUrl } from '@/lib/features/webhooks/change-webhook'
import { builder } from '../builder'
import { takes } from '../takes'

const State = builder.enumType('AuditStreamState', {
  description: 'Whether a stream sends.',
  values: {
    SENDING: { value: 'sending', description: 'The last message was taken, or none was sent yet.' },
    FAILING: { value: 'failing', description: 'The last message was not taken; it is tried again.' },
    PAUSED: { value: 'paused', description: 'An admin paused it; what happens waits.' },
    STOPPED: { value: 'stopped', description: 'It failed for three days; what happens waits.' },
  } satisfies Record<string, { value: StreamState['state']; description: string }>,
})

const AuditStream = builder.objectRef<StreamState>('AuditStream').implement({
  description:
    'Where a workspace sends its audit log, and how that goes. It is set up in the console alone, so that no token sends a log away.',
  fields: (t) => ({
    url: t.string({
      description:
        'Where events are sent, without the query, in which receivers may have their secrets: `?…` stands for it.',
      resolve: ({ url }) => recordedUrl(url),
    }),
    state: t.expose('state', { type: State, description: 'Whether they are.' }),
    waiting: t.exposeInt('waiting', { description: 'Events not delivered yet, counted up to 10,000.' }),
    waitingSince: t.expose('oldest', {
      type: 'DateTime',
      nullable: true,
      description: 'When the oldest of them happened; null for none.',
    }),
    lastSuccessAt: t.expose('lastSuccessAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a message was last taken; null for never.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when none was; null while they are.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'What the last message came to that was not taken; null where none was refused.',
    }),
    previousSecretExpiresAt: t.expose('previousUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when messages are signed with the secret before the last rotation too; null without one.',
    }),
  }),
})

builder.queryField('auditStream', (t) =>
  t.field({
    type: AuditStream,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }) },
    description: `Where a workspace sends its audit log; null where it sends it nowhere. ${takes('workspace:stream-audit')}.`,
    resolve: (_root, { workspaceId }, { actor }) => readStream(actor, { workspaceId }),
  }),
)
