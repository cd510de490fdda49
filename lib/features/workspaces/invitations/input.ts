import { z } from 'zod'
import { emailAddress } from '@/lib/base/mail/email-address'

/** An invitation to a workspace, or with `projectId` to that project alone. */
export const invitationInput = z
  .object({
    workspaceId: z.string().nullish(),
    projectId: z.string().nullish(),
    email: emailAddress,
    role: z.enum(['ADMIN', 'MEMBER', 'VIEWER'], { error: 'Choose a role.' }),
  })
  .refine((input) => (input.workspaceId == null) !== (input.projectId == null), {
    path: ['workspaceId'],
    error: 'Name a workspace or a project.',
  })
