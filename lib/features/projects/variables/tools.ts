import type { AgentTool } from '@/lib/policy/permissions'

/** Variables of environments. */
export const variableTools: readonly AgentTool[] = [
  {
    name: 'list_variables',
    title: 'List the names of variables',
    description:
      'The names of an environment’s variables, oldest first, in pages. Values are read with `read_variables`.',
    operation: `query ListVariables($environmentId: ID!, $first: Int = 50, $after: String) {
      variables(environmentId: $environmentId, first: $first, after: $after) {
        totalCount nodes { name updatedAt } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'project:read',
  },
  {
    name: 'read_variables',
    title: 'Read the values of variables',
    description:
      'The values of the variables that you name. They may be secrets: read no more of them than the task takes.',
    operation: `query ReadVariables($environmentId: ID!, $names: [String!]!) {
      variables(environmentId: $environmentId, names: $names, first: 50) { nodes { name value updatedAt } }
    }`,
    takes: 'project:read-values',
  },
  {
    name: 'set_variables',
    title: 'Set variables',
    description:
      'Sets several variables of an environment in one step: all of them, or none. With `expectedRevision` it is refused when somebody changed the environment meanwhile.',
    operation: `mutation SetVariables($environmentId: ID!, $variables: [VariableValueInput!]!, $expectedRevision: Int) {
      variablesUpsert(input: { environmentId: $environmentId, variables: $variables, expectedRevision: $expectedRevision }) {
        environment { id revision } variables { name updatedAt }
      }
    }`,
    takes: 'project:write-variables',
    idempotent: true,
  },
  {
    name: 'delete_variable',
    title: 'Delete a variable',
    description: 'Deletes one variable of an environment.',
    operation: `mutation DeleteVariable($environmentId: ID!, $name: String!) {
      deleted: variableDelete(input: { environmentId: $environmentId, name: $name })
    }`,
    takes: 'project:write-variables',
    destructive: true,
  },
]
