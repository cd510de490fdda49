import type { Role } from '@/lib/generated/prisma/enums'

export type { Role }

/** Ordered: admin includes member includes viewer. */
const rank: Record<Role, number> = { VIEWER: 1, MEMBER: 2, ADMIN: 3 }

/** Whether a role reaches another. No role reaches nothing. */
export const reaches = (role: Role | undefined, needed: Role): boolean =>
  role !== undefined && rank[role] >= rank[needed]

/** The higher of two roles, either of which may be absent. */
export const higher = (a: Role | undefined, b: Role | undefined): Role | undefined =>
  !a ? b : !b ? a : rank[a] >= rank[b] ? a : b

/** The lower of two roles; absent when either is. */
export const capped = (role: Role | undefined, cap: Role | undefined): Role | undefined =>
  !role || !cap ? undefined : rank[role] <= rank[cap] ? role : cap

/** How much of what it asks for an app gets where a person has a role; `full` where that is everything there is. */
export type Got = 'full' | 'asked' | 'member' | 'viewer'

/** What an app gets of the role it asks for: never more than the person's own. @param asked undefined where it asks for none */
export function gotOf(own: Role, asked: Role | undefined): Got {
  if (!asked || reaches(own, asked)) return asked === 'ADMIN' ? 'full' : 'asked'
  return own === 'MEMBER' ? 'member' : 'viewer'
}

/** Whether what is asked of a workspace covers what is asked of its projects. */
export const coversProjects = (asked: { workspace: Role | undefined; project: Role | undefined }): boolean =>
  asked.project !== undefined && reaches(asked.workspace, asked.project)
