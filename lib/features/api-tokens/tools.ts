import type { AgentTool } from '@/lib/policy/permissions'

/**
 * Tools for the API tokens of a workspace. There is no tool that creates tokens, because apps cannot create
 * tokens.
 */
export const apiTokenTools: readonly AgentTool[] = [
  {
    name: 'list_tokens',
    title: 'List API tokens',
    description:
      'Lists the API tokens of a workspace and its projects with their expiry and last use. `expiresBefore` selects tokens that expire soon.',
    operation: `query ListTokens($workspaceId: ID!, $expiresBefore: DateTime, $unusedSince: DateTime, $first: Int = 25, $after: String) {
      workspaceTokens(workspaceId: $workspaceId, filter: { expiresBefore: $expiresBefore, unusedSince: $unusedSince }, first: $first, after: $after) {
        totalCount nodes { id name role displayToken projectId userId createdAt expiresAt lastUsedAt } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'workspace:manage-tokens',
  },
  {
    name: 'revoke_token',
    title: 'Revoke an API token',
    description:
      'Immediately revokes an API token for a workspace or project, including one that another user created.',
    operation: 'mutation RevokeToken($id: ID!) { revoked: workspaceTokenDelete(id: $id) }',
    takes: 'workspace:manage-tokens',
    destructive: true,
  },
]
