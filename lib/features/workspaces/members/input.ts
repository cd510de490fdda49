import { z } from 'zod'
import { emailAddress } from '@/lib/base/mail/email-address'

const roleInput = z.enum(['ADMIN', 'MEMBER', 'VIEWER'], { error: 'Choose a role.' })

/** A person's new role in a workspace. */
export const workspaceMemberInput = z.object({ workspaceId: z.string(), userId: z.string(), role: roleInput })

/** A person's role in a project itself. */
export const projectMemberInput = z.object({ projectId: z.string(), userId: z.string(), role: roleInput })

/** A person, by e-mail address, who shall have a role in a project itself. */
export const projectMemberByEmailInput = z.object({
  projectId: z.string(),
  email: emailAddress,
  role: roleInput,
})
