import type { Db } from '@/lib/base/db/prisma'

/**
 * Whether a person has to sign in through the identity provider of a workspace of theirs, because of their address. Operators never
 * do: they mend what is set wrong. See decision 223.
 * @returns the workspace; undefined for everybody else
 */
export async function onlyDoorOf(tx: Db, userId: string): Promise<string | undefined> {
  const [door] = await tx.$queryRaw<{ workspaceId: string }[]>`
    SELECT ip.workspace_id AS "workspaceId" FROM users u
      JOIN workspace_identity_providers ip ON ip.domain = split_part(u.email, '@', 2) AND ip.only_door AND ip.verified_at IS NOT NULL
      JOIN workspace_members wm ON wm.workspace_id = ip.workspace_id AND wm.user_id = u.id
     WHERE u.id = ${userId}::uuid AND NOT u.instance_admin`
  return door?.workspaceId
}
