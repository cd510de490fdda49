import { z } from 'zod'

const roleInput = z.enum(['ADMIN', 'MEMBER', 'VIEWER'], { error: 'Choose a role.' })

/** A person's new role in a workspace. */
export const workspaceMemberInput = z.object({ workspaceId: z.string(), userId: z.string(), role: roleInput })

/** A person's role in a project itself. */
export const projectMemberInput = z.object({ projectId: z.string(), userId: z.string(), role: roleInput })

/** A person, by e-mail address, who shall have a role in a project itself. */
export const projectMemberByEmailInput = z.object({
  projectId: z.string(),
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(254, 'Use an email address of at most 254 characters.')
    .pipe(z.email('Enter an email address such as ada@example.com.')),
  role: roleInput,
})
