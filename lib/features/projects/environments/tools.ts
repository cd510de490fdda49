import type { AgentTool } from '@/lib/policy/permissions'

/** Environments of projects. */
export const environmentTools: readonly AgentTool[] = [
  {
    name: 'list_environments',
    title: 'List environments',
    description: 'The environments of a project, oldest first, in pages.',
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
    description: 'Adds an environment to a project. It starts empty.',
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
    description: 'Gives an environment another name.',
    operation: `mutation RenameEnvironment($id: ID!, $name: String!) {
      environmentRename(id: $id, input: { name: $name }) { id name projectId }
    }`,
    takes: 'project:manage-environments',
    idempotent: true,
  },
  {
    name: 'delete_environment',
    title: 'Delete an environment',
    description: 'Deletes an environment with its variables.',
    operation: 'mutation DeleteEnvironment($id: ID!) { deleted: environmentDelete(id: $id) }',
    takes: 'project:delete',
    destructive: true,
  },
]
