import type { AgentTool } from '@/lib/policy/permissions'

/** The /mcp tool that finds resources by name and returns the IDs that other tools require. */
export const searchTools: readonly AgentTool[] = [
  {
    name: 'search',
    title: 'Search by name',
    description:
      'Finds workspaces, projects, environments, variables, members, OAuth apps, API tokens, and webhooks by words in their names, and returns their IDs. Call it first if the user refers to a resource by name. Example: `orbit production` finds the environment `production` of the project `orbit`.',
    operation: `query Search($text: String!, $first: Int = 10, $after: String) {
      search(text: $text, first: $first, after: $after) {
        totalCount nodes { kind id name path workspaceId projectId environmentId } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'project:read',
  },
]
