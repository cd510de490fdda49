import { cursorOfFound, type Found, type Kind, searchNames } from '@/lib/features/search/search-names'
import { builder } from '../builder'
import { defineConnection } from '../connection'

const words: Record<Kind, string> = {
  WORKSPACE: 'A workspace.',
  PROJECT: 'A project.',
  ENVIRONMENT: 'An environment of a project.',
  OAUTH_APP: 'An OAuth app that a workspace runs.',
  MEMBER: 'A person with a role in a workspace.',
  API_TOKEN: 'An API token of a workspace or of a project.',
  WEBHOOK: 'A webhook of a workspace.',
  VARIABLE: 'A variable of an environment.',
}

const SearchKind = builder.enumType('SearchKind', {
  description: 'What can be found by its name.',
  values: Object.fromEntries(
    Object.entries(words).map(([kind, description]) => [kind, { description }]),
  ) as Record<Kind, { description: string }>,
})

const SearchResult = builder.objectRef<Found>('SearchResult').implement({
  description: 'Something that was found by its name.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "Its id; a member's is that of the person." }),
    kind: t.expose('kind', { type: SearchKind, description: 'What it is.' }),
    name: t.exposeString('name', { description: 'Its name; the address of a webhook.' }),
    path: t.exposeString('path', {
      description: 'The names of what it lies in, from the workspace down: `Acme / Orbit / Production`.',
    }),
    workspaceId: t.exposeID('workspaceId', { description: 'The workspace it lies in, or is.' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The project it lies in, or is; null for what is of the workspace.',
    }),
    environmentId: t.exposeID('environmentId', {
      nullable: true,
      description: 'The environment it lies in, or is; null for what is of no one environment.',
    }),
  }),
})

const SearchResultConnection = defineConnection('SearchResult', SearchResult, cursorOfFound)

builder.queryField('search', (t) =>
  t.field({
    type: SearchResultConnection,
    nullable: true,
    args: {
      text: t.arg.string({
        required: true,
        description:
          'Words. Each stands in the name, or in that of what the thing lies in; one at least in the name.',
      }),
      first: t.arg.int({ description: 'At most this many: 1 to 100, 50 unless given.' }),
      after: t.arg.string({ description: 'Only what follows this cursor.' }),
    },
    description:
      'What has a name with these words, of everything that the caller reaches, the best match first. OAuth apps, API tokens and webhooks are found by admins, members by who sees them. Apps need a `project:*` or `workspace:*` scope.',
    resolve: (_root, { text, ...page }, { actor }) => searchNames(actor, text, page),
  }),
)
