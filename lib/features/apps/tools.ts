import type { AgentTool } from '@/lib/policy/permissions'

/** Tools for the OAuth apps that a workspace owns. */
export const appTools: readonly AgentTool[] = [
  {
    name: 'list_oauth_apps',
    title: 'List OAuth apps',
    description: 'The OAuth apps of a workspace, by name, in pages.',
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
      'An OAuth app by its client id: redirect URIs, how it authenticates, when its secrets were used last.',
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
    title: 'Explain why sign-ins of an app fail',
    description:
      'The last refused requests of an OAuth app at the OAuth endpoints, the latest first, with what it was told and the reason that only its developer is told. Use it for: why does my app’s sign-in fail?',
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
      'Registers an OAuth app. For one of type WEB the answer has its client secret, this once: put it where the app reads it, and nowhere else.',
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
    description: 'Changes an OAuth app’s name or replaces its redirect URIs; what is left out stays.',
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
