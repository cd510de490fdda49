/**
 * Files that read or change memberships themselves. All other files use lib/policy to decide who can see a
 * resource.
 */
const aboutMembers = [
  'lib/features/app-access/list-installed.ts',
  'lib/features/notifications/announce-event.ts',
  'lib/features/projects/list-members.ts',
  'lib/features/workspaces/list-members.ts',
  'lib/features/workspaces/list-places.ts',
  'lib/features/workspaces/search-members.ts',
  'lib/features/workspaces/change-member.ts',
  'lib/features/workspaces/remove-member.ts',
]

/** Matches direct queries of memberships, in SQL or in a Prisma filter. */
const byHand = /\b(?:FROM|JOIN)\s+(?:workspace|project)_members\b|\bmembers:\s*\{\s*some\b/

/**
 * Checks that a product file uses lib/policy/visible to decide who can see a workspace or project. Ignores
 * lib/policy and the files in `aboutMembers`.
 * @param file path from the root of the repository, with forward slashes
 * @returns one line if the file reads memberships directly; otherwise, an empty list
 */
export function wrongVisibility(file: string, source: string): string[] {
  const concerned =
    /^(?:lib|app|components)\//.test(file) && !/^lib\/(?:policy|testing)\/|\.test\.tsx?$/.test(file)
  if (!concerned || aboutMembers.includes(file) || !byHand.test(source)) return []
  return [`${file}: reads memberships directly; use lib/policy/visible.ts`]
}
