import { z } from 'zod'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { isSubscription } from './events'

/**
 * An address that messages are sent to.
 * @param problemOf what is wrong with it, as a sentence; undefined when it may be called
 */
export const messageUrl = (problemOf: (value: string) => string | undefined = outboundUrlProblem) =>
  z
    .string()
    .trim()
    .max(2000, 'Use at most 2,000 characters.')
    .superRefine((value, context) => {
      const problem = problemOf(value)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })

const url = messageUrl()

const events = z
  .array(z.string())
  .min(1, 'Choose at least one event.')
  .max(50, 'Choose at most 50 events.')
  .refine((values) => values.every(isSubscription), 'Choose events such as project.created or project.*.')
  .transform((values) => [...new Set(values)])

/** A new webhook. */
export const createWebhookInput = z.object({ workspaceId: z.string(), url, events })

/** What changes about a webhook; what is left out stays. */
export const updateWebhookInput = z.object({
  url: url.nullish(),
  events: events.nullish(),
  enabled: z.boolean().nullish(),
})
