import type { Db } from '@/lib/base/db/prisma'
import { rolesWith, type WorkspacePermission } from '@/lib/policy/permissions'

/** A person as a notice names them. */
export const person = { select: { id: true, name: true, email: true, language: true } } as const

/** Those who carry a permission in a workspace, each with the workspace. */
export const peopleWith = (tx: Db, permission: WorkspacePermission, workspaceId: string) =>
  tx.workspaceMember.findMany({
    where: { workspaceId, role: { in: rolesWith(permission) } },
    select: { workspace: { select: { id: true, name: true, slug: true } }, user: person },
  })
