import { z } from 'zod'

/** The kinds of event that a workspace's admins are told about, each as they wish. */
export const ruledTypes = ['APP_AUTHORIZED', 'MEMBER_ADDED'] as const

/** How the person wants to be told about one kind of event of one workspace. */
export const ruleInput = z.object({
  workspaceId: z.string(),
  type: z.enum(ruledTypes, { error: 'There are rules for APP_AUTHORIZED and MEMBER_ADDED alone.' }),
  inApp: z.boolean(),
  email: z.boolean(),
})
