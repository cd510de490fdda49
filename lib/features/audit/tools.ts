import type { AgentTool } from '@/lib/policy/permissions'

/** Agent tools for a workspace's audit log. */
export const auditTools: readonly AgentTool[] = [
  {
    name: 'read_audit_log',
    title: 'Read the audit log',
    description:
      'Lists a workspace’s audit events, newest first. Each event contains the user, the action, the resource, and the app or token that was used.',
    operation: `query ReadAuditLog($workspaceId: ID!, $action: String, $resourceType: String, $resourceId: ID, $userId: ID, $since: DateTime, $until: DateTime, $first: Int = 25, $after: String) {
      auditLogs(workspaceId: $workspaceId, first: $first, after: $after, filter: {
        action: $action, resourceType: $resourceType, resourceId: $resourceId, userId: $userId, since: $since, until: $until
      }) {
        nodes { id createdAt action actorKind actorId userId resourceType resourceId details } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'workspace:read-audit',
  },
]
