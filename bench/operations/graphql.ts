import { mustHold, type OperationSpec } from './operation'

const members = `query ($workspaceId: ID!) { projects(workspaceId: $workspaceId, first: 50) {
  edges { node { id name members { id name role } } } pageInfo { hasNextPage endCursor } } }`

const fragments = `query Overview($workspaceId: ID!, $count: Int!) {
  me { ...user }
  projects(workspaceId: $workspaceId, first: $count) {
    edges { node { ...summary } } pageInfo { hasNextPage endCursor } } }
fragment user on User { id name email }
fragment summary on Project { id name description workspaceId }`

const rename = `mutation ($projectId: ID!) {
  projectUpdate(id: $projectId, input: { name: "Renamed" }) { id name updatedAt } }`

/**
 * A query with its variables. `variables` contains names of variables, whose values come from the credential.
 * `constants` contains variables with fixed values. `shows` must match the response.
 */
type Asks = { query: string; variables?: readonly string[]; constants?: object; shows: RegExp; says?: string }

/** Queries similar to those in `examples/`, in the docs, and in a typical console. */
const queries = {
  me: {
    query: '{ me { id email workspaces { id name } } }',
    shows: /"workspaces"\s*:\s*\[\s*\{/,
  },
  page: {
    query: '{ projects(first: 50) { edges { node { id name } } } }',
    shows: /"node"\s*:\s*\{/,
    says: 'the query of the web app and command-line examples',
  },
  agent: {
    query: '{ me { email } projects(first: 50) { edges { node { name } } } }',
    shows: /"node"\s*:\s*\{/,
    says: 'the query of the agent example',
  },
  fragments: {
    query: fragments,
    variables: ['workspaceId'],
    constants: { count: 10 },
    shows: /"node"\s*:\s*\{/,
    says: 'variables and fragments',
  },
  members: {
    query: members,
    variables: ['workspaceId'],
    shows: /"members"\s*:\s*\[\s*\{/,
    says: 'a page of fifty projects with their members',
  },
  mutation: {
    query: rename,
    variables: ['projectId'],
    shows: /"Renamed"/,
    says: 'a mutation, with its entry in the audit log',
  },
} satisfies Record<string, Asks>

const operation = ({ query, variables = [], constants = {}, shows, says }: Asks): OperationSpec => ({
  ...{ app: 'web', path: 'graphql', needs: 'access' },
  title: `${says ? `${says}:\n\n` : ''}    ${query.replaceAll('\n', '\n    ')}`,
  request:
    ({ path }) =>
    (lane) => {
      const { value, variables: known } = lane.next()
      const own = Object.fromEntries(variables.map((name) => [name, known?.[name]]))
      const asks = variables.length ? { query, variables: { ...own, ...constants } } : { query }
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      return {
        ...{ method: 'POST', path, body: JSON.stringify(asks) },
        headers: { ...headers, authorization: `Bearer ${value}` },
      }
    },
  check: mustHold(shows),
})

export const graphqlOperations = {
  'graphql-me': operation(queries.me),
  'graphql-page': operation(queries.page),
  'graphql-agent': operation(queries.agent),
  'graphql-fragments': operation(queries.fragments),
  'graphql-members': operation(queries.members),
  'graphql-mutation': operation(queries.mutation),
}
