import { z } from 'zod'

/** An invitation to a workspace, or with `projectId` to that project alone. */
export const invitationInput = z
  .object({
    workspaceId: z.string().nullish(),
    projectId: z.string().nullish(),
    email: z
      .string()
      .trim()
      .toLowerCase()
      .max(254, 'Use an email address of at most 254 characters.')
      .pipe(z.email('Enter an email address such as ada@example.com.')),
    role: z.enum(['ADMIN', 'MEMBER', 'VIEWER'], { error: 'Choose a role.' }),
  })
  .refine((input) => (input.workspaceId == null) !== (input.projectId == null), {
    path: ['workspaceId'],
    error: 'Name a workspace or a project.',
  })
