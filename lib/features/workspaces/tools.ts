import type { AgentTool } from '@/lib/policy/permissions'

/** Tools for workspaces, their members, and invitations. */
export const workspaceTools: readonly AgentTool[] = [
  {
    name: 'list_workspaces',
    title: 'List workspaces',
    description: 'Lists the workspaces that this token can access, with the token’s role in each workspace.',
    operation: 'query ListWorkspaces { me { workspaces { id name slug role } } }',
  },
  {
    name: 'get_workspace',
    title: 'Get a workspace',
    description: 'Returns a workspace and its first projects.',
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
    description: 'Lists the members of a workspace with their roles.',
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
    description: 'Changes the role of a workspace member. A workspace must always have at least one admin.',
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
    description: 'Removes a member from a workspace. The user loses access immediately.',
    operation: `mutation RemoveMember($workspaceId: ID!, $userId: ID!) {
      removed: workspaceMemberRemove(workspaceId: $workspaceId, userId: $userId)
    }`,
    takes: 'workspace:manage-members',
    destructive: true,
  },
  {
    name: 'list_invitations',
    title: 'List open invitations',
    description: 'Lists the pending invitations of a workspace.',
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
      'Invites someone to a workspace by email. Replaces an earlier invitation to the same address. Apps do not receive the invitation link.',
    operation: `mutation InviteMember($workspaceId: ID!, $email: String!, $role: Role!) {
      workspaceInvitationCreate(input: { workspaceId: $workspaceId, email: $email, role: $role }) {
        link emailSent workspaceInvitation { id email role expiresAt }
      }
    }`,
    takes: 'workspace:manage-members',
  },
  {
    name: 'revoke_invitation',
    title: 'Revoke an invitation',
    description: 'Revokes a pending invitation. Its link stops working.',
    operation: 'mutation RevokeInvitation($id: ID!) { revoked: workspaceInvitationRevoke(id: $id) }',
    takes: 'workspace:manage-members',
    destructive: true,
  },
]
