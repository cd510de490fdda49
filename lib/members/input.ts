import { z } from 'zod'

export const roleInput = z.enum(['ADMIN', 'MEMBER', 'VIEWER'], { error: 'Choose a role.' })

/** A person's new role in a workspace. */
export const workspaceMemberInput = z.object({ workspaceId: z.string(), userId: z.string(), role: roleInput })

/** A person's role in a project itself. */
export const projectMemberInput = z.object({ projectId: z.string(), userId: z.string(), role: roleInput })
