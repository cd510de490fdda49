import type { AgentTool } from '@/lib/policy/permissions'

const fields = 'id name description role workspaceId createdAt updatedAt'

/** Projects. */
export const projectTools: readonly AgentTool[] = [
  {
    name: 'list_projects',
    title: 'List projects',
    description:
      'The projects this token reaches, oldest first, in pages; `search` looks for part of a name. Pass `after` the last `endCursor` for the next page.',
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
    description: 'One project with its environments.',
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
    description: 'Renames a project or describes it anew; what is left out stays.',
    operation: `mutation UpdateProject($id: ID!, $name: String, $description: String) {
      projectUpdate(id: $id, input: { name: $name, description: $description }) { ${fields} }
    }`,
    takes: 'project:update',
    idempotent: true,
  },
  {
    name: 'delete_project',
    title: 'Delete a project',
    description: 'Deletes a project with its environments, variables and tokens.',
    operation: 'mutation DeleteProject($id: ID!) { deleted: projectDelete(id: $id) }',
    takes: 'project:delete',
    destructive: true,
  },
]
