import type { AgentTool } from '@/lib/policy/permissions'

/** The agent tools that return information about a token and its user. */
export const identityTools: readonly AgentTool[] = [
  {
    name: 'who_am_i',
    title: 'Who am I',
    description:
      'Returns the user of this token, its scopes or role, and the resources that it can access. Call this tool first after another call is rejected.',
    operation: `query WhoAmI {
      me { id name email }
      currentToken { kind scopes role expiresAt workspace { id name } project { id name } rateLimit { limit remaining resetsAt } }
    }`,
  },
]
