import type { AgentTool } from '@/lib/policy/permissions'

/** Agent tools for the OAuth apps that a workspace owns. */
export const appTools: readonly AgentTool[] = [
  {
    name: 'list_oauth_apps',
    title: 'List OAuth apps',
    description: 'Lists a workspace’s OAuth apps, sorted by name.',
    operation: `query ListOAuthApps($workspaceId: ID!, $first: Int = 25, $after: String) {
      oauthApps(workspaceId: $workspaceId, first: $first, after: $after) {
        totalCount nodes { id name type userCount verifiedAt disabledAt } pageInfo { hasNextPage endCursor }
      }
    }`,
    takes: 'workspace:manage-apps',
  },
  {
    name: 'get_oauth_app',
    title: 'Get an OAuth app',
    description:
      'Returns an OAuth app by its client ID, with its redirect URIs, its authentication method, and the last use of its secrets.',
    operation: `query GetOAuthApp($id: ID!) {
      oauthApp(id: $id) {
        id name type workspaceId redirectUris postLogoutRedirectUris idTokenAlg userCount verifiedAt disabledAt
        secrets { id lastFour createdAt lastUsedAt }
        advanced { clientAuthentication highSecurity requirePushedAuthorization requireSignedRequests }
      }
    }`,
    takes: 'workspace:manage-apps',
  },
  {
    name: 'explain_oauth_app',
    title: 'Explain why an app’s sign-ins fail',
    description:
      'Lists an app’s last rejected OAuth requests, newest first, with the error that the app received and the reason that only its developers can see. Use it to find out why sign-in fails.',
    operation: `query ExplainOAuthApp($id: ID!) {
      oauthApp(id: $id) {
        id name type redirectUris disabledAt failures { endpoint error description reason createdAt }
      }
    }`,
    takes: 'workspace:manage-apps',
  },
  {
    name: 'create_oauth_app',
    title: 'Create an OAuth app',
    description:
      'Registers an OAuth app. For type WEB, the response contains the client secret, which is returned only once. Store it only where the app reads it.',
    operation: `mutation CreateOAuthApp($workspaceId: ID!, $name: String!, $type: OAuthAppType!, $redirectUris: [String!]!) {
      oauthAppCreate(input: { workspaceId: $workspaceId, name: $name, type: $type, redirectUris: $redirectUris }) {
        secret oauthApp { id name type redirectUris }
      }
    }`,
    takes: 'workspace:manage-apps',
  },
  {
    name: 'update_oauth_app',
    title: 'Update an OAuth app',
    description:
      'Changes the name of an OAuth app or replaces its redirect URIs. Omitted settings stay unchanged.',
    operation: `mutation UpdateOAuthApp($id: ID!, $name: String, $redirectUris: [String!], $postLogoutRedirectUris: [String!]) {
      oauthAppUpdate(id: $id, input: { name: $name, redirectUris: $redirectUris, postLogoutRedirectUris: $postLogoutRedirectUris }) {
        id name redirectUris postLogoutRedirectUris
      }
    }`,
    takes: 'workspace:manage-apps',
    destructive: true,
    idempotent: true,
  },
]
