/** A person as they are stored, with their role in the app's own workspace where they have one. */
type Stored = {
  name: string
  email: string
  avatarUrl: string | null
  workspaceMemberships: readonly unknown[]
}

/**
 * What an app's admins are told of a person: what the app itself may read by their scopes; of people in its own workspace, all
 * of it. See decision 199.
 */
export function knownOfPerson(
  { name, email, avatarUrl, workspaceMemberships }: Stored,
  scopes: readonly string[],
): { name: string | null; email: string | null; avatarUrl: string | null } {
  const own = workspaceMemberships.length > 0
  const profile = own || scopes.includes('profile')
  return {
    name: profile ? name : null,
    email: own || scopes.includes('email') ? email : null,
    avatarUrl: profile ? avatarUrl : null,
  }
}

/** The columns that `knownOfPerson` takes. @param workspaceId of the app */
export const knownColumns = (workspaceId: string) =>
  ({
    name: true,
    email: true,
    avatarUrl: true,
    workspaceMemberships: { where: { workspaceId }, select: { role: true } },
  }) as const
