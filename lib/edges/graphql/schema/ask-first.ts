import { setAskFirst } from '@/lib/features/app-access/set-ask-first'
import { type Askable, askable, isAskable } from '@/lib/policy/ask-first'
import { builder } from '../builder'
import { takes } from '../takes'
import { Workspace } from './workspace'

/** `project:delete` as GraphQL can spell it. */
const nameOf = (permission: string): string => permission.toUpperCase().replace(/[:-]/g, '_')

const AskFirst = builder.enumType('AskFirst', {
  description: 'What an app does only after it asked the person it acts for, where the workspace says so.',
  values: Object.fromEntries(
    Object.entries(askable).map(([value, { label }]) => [
      nameOf(value),
      { value: value as Askable, description: `${label}.` },
    ]),
  ),
})

builder.objectField(Workspace, 'askFirst', (t) =>
  t.field({
    type: [AskFirst],
    description: 'What apps do here only after they asked; the operator may have marked more.',
    resolve: ({ askFirst }) => askFirst.filter(isAskable),
  }),
)

builder.mutationField('workspaceAskFirstUpdate', (t) =>
  t.field({
    type: Workspace,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      askFirst: t.arg({
        type: [AskFirst],
        required: true,
        description: 'All of it; an empty list for nothing.',
      }),
    },
    description: `Changes what apps do only after they asked. ${takes('workspace:decide-apps')}. Not for apps.`,
    resolve: (_root, { workspaceId, askFirst }, { actor }) => setAskFirst(actor, workspaceId, { askFirst }),
  }),
)
