import { z } from 'zod'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { isAppSubscription } from './app-events'
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

/** Events of the endpoint of an app, or of a workspace. */
const events = (ofApp: boolean) =>
  z
    .array(z.string())
    .min(1, 'Choose at least one event.')
    .max(50, 'Choose at most 50 events.')
    .superRefine((values, context) => {
      const wrong = values.findIndex((value) => !(ofApp ? isAppSubscription : isSubscription)(value))
      if (wrong < 0) return
      const such = ofApp
        ? 'of an app, such as app.authorized or app.*'
        : 'such as project.created or project.*'
      context.addIssue({ code: 'custom', path: [wrong], message: `Choose events ${such}.` })
    })
    .transform((values) => [...new Set(values)])

/** A new webhook: of the workspace, or of one of its apps. */
export const createWebhookInput = (ofApp: boolean) =>
  z.object({ workspaceId: z.string(), clientId: z.string().nullish(), url, events: events(ofApp) })

/** What changes about a webhook; what is left out stays. */
export const updateWebhookInput = (ofApp: boolean) =>
  z.object({
    url: url.nullish(),
    events: events(ofApp).nullish(),
    enabled: z.boolean().nullish(),
  })
