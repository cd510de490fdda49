import { cursorOfFound, type Found, type Kind, searchNames } from '@/lib/features/search/search-names'
import { builder } from '../builder'
import { defineConnection, pageDescriptions } from '../connection'

const kindDescriptions: Record<Kind, string> = {
  WORKSPACE: 'A workspace.',
  PROJECT: 'A project.',
  ENVIRONMENT: 'An environment of a project.',
  OAUTH_APP: 'An OAuth app that a workspace owns.',
  MEMBER: 'A user with a role in a workspace.',
  API_TOKEN: 'An API token of a workspace or of a project.',
  WEBHOOK: 'A webhook of a workspace.',
  VARIABLE: 'A variable of an environment.',
}

const SearchKind = builder.enumType('SearchKind', {
  description: 'The kind of search result.',
  values: Object.fromEntries(
    Object.entries(kindDescriptions).map(([kind, description]) => [kind, { description }]),
  ) as Record<Kind, { description: string }>,
})

const SearchResult = builder.objectRef<Found>('SearchResult').implement({
  description: 'An object that was found by its name.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the object. For a member, the ID of the user.' }),
    kind: t.expose('kind', { type: SearchKind, description: 'The kind of object.' }),
    name: t.exposeString('name', { description: 'The name of the object, or the URL of a webhook.' }),
    path: t.exposeString('path', {
      description:
        'The names of the objects that contain it, from the workspace down: `Acme / Orbit / Production`.',
    }),
    workspaceId: t.exposeID('workspaceId', {
      description:
        'The ID of the workspace that contains the object, or of the object itself if it is a workspace.',
    }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description:
        'The ID of the project that contains the object, or of the object itself if it is a project. Null if the object belongs directly to the workspace.',
    }),
    environmentId: t.exposeID('environmentId', {
      nullable: true,
      description:
        'The ID of the environment that contains the object, or of the object itself if it is an environment. Null if the object does not belong to an environment.',
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
          'The search terms. Each term must match the name of the object or of an object that contains it. At least one term must match the name of the object itself.',
      }),
      first: t.arg.int({ description: pageDescriptions.first }),
      after: t.arg.string({ description: pageDescriptions.after }),
    },
    description:
      'All objects that the caller can access and whose names match the search terms, best match first. OAuth apps, API tokens, and webhooks are included only for admins. Members are included only for callers who can see them. Apps need a `project:*` or `workspace:*` scope.',
    resolve: (_root, { text, ...page }, { actor }) => searchNames(actor, text, page),
  }),
)
