'use server'
import { revalidatePath } from 'next/cache'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { ruledTypes } from '@/lib/features/notifications/input'
import { markAllRead, markRead } from '@/lib/features/notifications/mark-read'
import { setRule } from '@/lib/features/notifications/rules'

/** The number of unread ones stands in the frame of every page. */
const everyPage = () => revalidatePath('/', 'layout')

export const markReadAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await markRead(actor, id)
    everyPage()
    return true as const
  })

export const markAllReadAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor) => {
    await markAllRead(actor)
    everyPage()
    return true as const
  })

/** Each kind of event is a field that holds the ways to be told about it. */
export const setRulesAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { workspaceId, ...input }) => {
    const rules = ruledTypes.map((type) => {
      const ways = (input[type] ?? '').split('\n')
      return { workspaceId, type, inApp: ways.includes('inApp'), email: ways.includes('email') }
    })
    await Promise.all(rules.map((rule) => setRule(actor, rule)))
    revalidatePath('/account/notifications')
    return true as const
  })
