'use server'
import { linesOf } from '@/lib/base/http/body'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { markAllRead, markRead } from '@/lib/features/notifications/read-notifications'
import { setRule, typesWithRules } from '@/lib/features/notifications/rules'

/** The path to revalidate. The frame of every page shows the number of unread notifications. */
const everyPage = '/'

export const markReadAction = changeAction((actor, { id = '' }) => markRead(actor, id), everyPage)

export const markAllReadAction = changeAction((actor) => markAllRead(actor), everyPage)

/**
 * Stores the user's notification rules for a workspace. The form has a field for each event type. The values
 * of a field are the selected channels.
 */
export const setRulesAction = changeAction((actor, { workspaceId, ...input }) => {
  const rules = typesWithRules.map((type) => {
    const ways = linesOf(input[type])
    return { workspaceId, type, inApp: ways.includes('inApp'), email: ways.includes('email') }
  })
  return Promise.all(rules.map((rule) => setRule(actor, rule)))
}, '/account/notifications/rules')
