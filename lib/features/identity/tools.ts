import type { AgentTool } from '@/lib/policy/permissions'

/** Tools for the user of the token. */
export const identityTools: readonly AgentTool[] = [
  {
    name: 'who_am_i',
    title: 'Who am I',
    description:
      'Whom this token speaks for, what it may do (scopes or role) and what it is confined to. Call this first when a call was refused.',
    operation: `query WhoAmI {
      me { id name email }
      currentToken { kind scopes role expiresAt workspace { id name } project { id name } rateLimit { limit remaining resetsAt } }
    }`,
  },
]
