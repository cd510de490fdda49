import type { Scope } from '@/lib/policy/scopes'

type ResourceScope = Extract<Scope, `workspace:${string}` | `project:${string}`>

/**
 * The sentence that describes each scope to the workspace admins who decide about an app. The consent page
 * addresses the user instead (`scope.*` in the catalogs of lib/base/language).
 */
export const adminSentences: Record<ResourceScope, string> = {
  'workspace:admin':
    'Fully control the workspace and its projects, including members and their email addresses. The app can’t create tokens.',
  'workspace:member': 'Read and write the workspace and its projects, and see the names of members.',
  'workspace:viewer': 'Read the workspace and its projects, and see the names of members.',
  'project:admin': 'Fully control projects. The app can’t create tokens.',
  'project:member': 'Read and write projects.',
  'project:viewer': 'Read projects.',
}

/**
 * Returns the sentence that describes a scope to workspace admins, or undefined if the scope is not about
 * workspaces or projects.
 */
export const adminSentence = (scope: string): string | undefined =>
  (adminSentences as Partial<Record<string, string>>)[scope]
