/** Files whose very subject is who belongs to a workspace or project; everything else asks lib/policy who sees what. */
const aboutMembers = [
  'lib/features/app-access/list-installed.ts',
  'lib/features/projects/list-members.ts',
  'lib/features/workspaces/list-members.ts',
  'lib/features/workspaces/change-member.ts',
  'lib/features/workspaces/remove-member.ts',
]

/** Memberships read by hand, in SQL or in a filter of Prisma. */
const byHand = /\b(?:FROM|JOIN)\s+(?:workspace|project)_members\b|\bmembers:\s*\{\s*some\b/

/**
 * Refuses a file that decides by itself who sees which workspace or project, instead of taking it from lib/policy/visible.
 * @param file path from the root of the repository, with forward slashes
 * @returns a line for the file that does
 */
export function wrongVisibility(file: string, source: string): string[] {
  const concerned =
    /^(?:lib|app|components)\//.test(file) && !/^lib\/(?:policy|testing)\/|\.test\.tsx?$/.test(file)
  if (!concerned || aboutMembers.includes(file) || !byHand.test(source)) return []
  return [`${file}: reads memberships by hand; who sees what stands in lib/policy/visible.ts`]
}
