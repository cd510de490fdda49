import type { AgentTool } from '@/lib/policy/permissions'

const fields = 'id name description role workspaceId createdAt updatedAt'

export const projectTools: readonly AgentTool[] = [
  {
    name: 'list_projects',
    title: 'List projects',
    description:
      'Lists the projects that this token can access, oldest first. `search` matches any part of a name. For the next page, pass the last `endCursor` as `after`.',
    operation: `query ListProjects($workspaceId: ID, $search: String, $first: Int = 25, $after: String) {
      projects(workspaceId: $workspaceId, search: $search, first: $first, after: $after) {
        totalCount nodes { id name description role workspaceId } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'project:read',
  },
  {
    name: 'get_project',
    title: 'Get a project',
    description: 'Returns a project and its environments.',
    operation: `query GetProject($id: ID!) {
      project(id: $id) { ${fields} workspace { id name } environments(first: 50) { totalCount nodes { id name } } }
    }`,
    takes: 'project:read',
  },
  {
    name: 'create_project',
    title: 'Create a project',
    description: 'Creates a project in a workspace.',
    operation: `mutation CreateProject($workspaceId: ID, $name: String!, $description: String) {
      projectCreate(input: { workspaceId: $workspaceId, name: $name, description: $description }) { ${fields} }
    }`,
    takes: 'workspace:create-project',
  },
  {
    name: 'update_project',
    title: 'Update a project',
    description: 'Changes the name or description of a project. Omitted arguments are unchanged.',
    operation: `mutation UpdateProject($id: ID!, $name: String, $description: String) {
      projectUpdate(id: $id, input: { name: $name, description: $description }) { ${fields} }
    }`,
    takes: 'project:update',
    idempotent: true,
  },
  {
    name: 'delete_project',
    title: 'Delete a project',
    description: 'Deletes a project and its environments, variables, and tokens.',
    operation: 'mutation DeleteProject($id: ID!) { deleted: projectDelete(id: $id) }',
    takes: 'project:delete',
    destructive: true,
  },
]

export const environmentTools: readonly AgentTool[] = [
  {
    name: 'list_environments',
    title: 'List environments',
    description: 'Lists the environments of a project, oldest first.',
    operation: `query ListEnvironments($projectId: ID!, $first: Int = 25, $after: String) {
      environments(projectId: $projectId, first: $first, after: $after) {
        totalCount nodes { id name projectId revision createdAt } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'project:read',
  },
  {
    name: 'create_environment',
    title: 'Create an environment',
    description: 'Creates an empty environment in a project.',
    operation: `mutation CreateEnvironment($projectId: ID!, $name: String!) {
      environmentCreate(input: { projectId: $projectId, name: $name }) {
        id name projectId revision createdAt
      }
    }`,
    takes: 'project:manage-environments',
  },
  {
    name: 'rename_environment',
    title: 'Rename an environment',
    description: 'Renames an environment.',
    operation: `mutation RenameEnvironment($id: ID!, $name: String!) {
      environmentRename(id: $id, input: { name: $name }) { id name projectId }
    }`,
    takes: 'project:manage-environments',
    idempotent: true,
  },
  {
    name: 'delete_environment',
    title: 'Delete an environment',
    description: 'Deletes an environment and its variables.',
    operation: 'mutation DeleteEnvironment($id: ID!) { deleted: environmentDelete(id: $id) }',
    takes: 'project:delete',
    destructive: true,
  },
]

export const variableTools: readonly AgentTool[] = [
  {
    name: 'list_variables',
    title: 'List the names of variables',
    description:
      'Lists the names of an environment’s variables, oldest first. To read their values, use `read_variables`.',
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
      'Returns the values of the named variables. Values can be secrets, so read only those that the task requires.',
    operation: `query ReadVariables($environmentId: ID!, $names: [String!]!) {
      variables(environmentId: $environmentId, names: $names, first: 50) { nodes { name value updatedAt } }
    }`,
    takes: 'project:read-values',
  },
  {
    name: 'set_variables',
    title: 'Set variables',
    description:
      'Sets several variables of an environment atomically. With `expectedRevision`, fails with CONFLICT if the variables have changed since that revision.',
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
    description: 'Deletes a variable from an environment.',
    operation: `mutation DeleteVariable($environmentId: ID!, $name: String!) {
      deleted: variableDelete(input: { environmentId: $environmentId, name: $name })
    }`,
    takes: 'project:write-variables',
    destructive: true,
  },
]
