import type { AgentTool } from '@/lib/policy/permissions'

/** Agent tools for the user's notifications. */
export const notificationTools: readonly AgentTool[] = [
  {
    name: 'list_notifications',
    title: 'List notifications',
    description: 'Lists the user’s notifications, newest first.',
    operation: `query ListNotifications($unreadOnly: Boolean = true, $first: Int = 25, $after: String) {
      notifications(unreadOnly: $unreadOnly, first: $first, after: $after) {
        totalCount nodes { id type title body workspaceId createdAt readAt } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'notifications',
  },
]
