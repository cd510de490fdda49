import { statement } from '@/lib/base/db/statement'

const find = statement<{ workspaceId: string }, [userId: string]>(
  'company-only-door',
  `SELECT ip.workspace_id AS "workspaceId" FROM users u
     JOIN workspace_identity_providers ip ON ip.domain = split_part(u.email, '@', 2) AND ip.only_door AND ip.verified_at IS NOT NULL
     JOIN workspace_members wm ON wm.workspace_id = ip.workspace_id AND wm.user_id = u.id
    WHERE u.id = $1::uuid AND NOT u.instance_admin`,
)

/**
 * Whether a person has to sign in through the identity provider of a workspace of theirs, because of their address. Operators never
 * do: they mend what is set wrong. See decision 223.
 * @returns the workspace; undefined for everybody else
 */
export async function onlyDoorOf(userId: string): Promise<string | undefined> {
  return (await find(userId))[0]?.workspaceId
}
