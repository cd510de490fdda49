import type { AgentTool } from '@/lib/policy/permissions'

/** Workspaces, their users and who was invited. */
export const workspaceTools: readonly AgentTool[] = [
  {
    name: 'list_workspaces',
    title: 'List workspaces',
    description: 'The workspaces that this token reaches, with the role it has there.',
    operation: 'query ListWorkspaces { me { workspaces { id name slug role } } }',
  },
  {
    name: 'get_workspace',
    title: 'Get a workspace',
    description: 'One workspace, with its first projects.',
    operation: `query GetWorkspace($workspaceId: ID!) {
      workspace(workspaceId: $workspaceId) {
        id name slug role createdAt projects(first: 25) { totalCount nodes { id name } }
      }
    }`,
    takes: 'workspace:read',
  },
  {
    name: 'list_members',
    title: 'List members',
    description: 'The people of a workspace with their roles, in pages.',
    operation: `query ListMembers($workspaceId: ID!, $first: Int = 50, $after: String) {
      workspaceMembers(workspaceId: $workspaceId, first: $first, after: $after) {
        totalCount nodes { id name role createdAt } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'workspace:read-members',
  },
  {
    name: 'change_member_role',
    title: 'Change a member’s role',
    description: 'Gives a member of a workspace another role. The last admin keeps theirs.',
    operation: `mutation ChangeMemberRole($workspaceId: ID!, $userId: ID!, $role: Role!) {
      workspaceMemberUpdate(input: { workspaceId: $workspaceId, userId: $userId, role: $role }) { id name role }
    }`,
    takes: 'workspace:manage-members',
    destructive: true,
    idempotent: true,
  },
  {
    name: 'remove_member',
    title: 'Remove a member',
    description: 'Takes a user’s role in a workspace away; they lose access at once.',
    operation: `mutation RemoveMember($workspaceId: ID!, $userId: ID!) {
      removed: workspaceMemberRemove(workspaceId: $workspaceId, userId: $userId)
    }`,
    takes: 'workspace:manage-members',
    destructive: true,
  },
  {
    name: 'list_invitations',
    title: 'List open invitations',
    description: 'Who was invited to a workspace and has not answered yet.',
    operation: `query ListInvitations($workspaceId: ID!, $first: Int = 50, $after: String) {
      workspaceInvitations(workspaceId: $workspaceId, first: $first, after: $after) {
        totalCount nodes { id email role createdAt expiresAt } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'workspace:manage-members',
  },
  {
    name: 'invite_member',
    title: 'Invite someone',
    description:
      'Invites someone to a workspace by email. Replaces an earlier invitation of the address. Apps do not get the invitation link.',
    operation: `mutation InviteMember($workspaceId: ID!, $email: String!, $role: Role!) {
      workspaceInvitationCreate(input: { workspaceId: $workspaceId, email: $email, role: $role }) {
        link emailSent workspaceInvitation { id email role expiresAt }
      }
    }`,
    takes: 'workspace:manage-members',
  },
  {
    name: 'revoke_invitation',
    title: 'Take an invitation back',
    description: 'Ends an open invitation; its link stops working.',
    operation: 'mutation RevokeInvitation($id: ID!) { revoked: workspaceInvitationRevoke(id: $id) }',
    takes: 'workspace:manage-members',
    destructive: true,
  },
]
