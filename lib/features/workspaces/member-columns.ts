import type { MemberRow } from './list-members'

/** What is read of somebody's membership, of a workspace or a project alike. */
export const memberColumns = {
  role: true,
  createdAt: true,
  user: { select: { id: true, name: true, email: true, avatarUrl: true } },
} as const

/** A membership as `memberColumns` reads it. */
export type Membership = Pick<MemberRow, 'role' | 'createdAt'> & {
  user: Pick<MemberRow, 'id' | 'name' | 'email' | 'avatarUrl'>
}
