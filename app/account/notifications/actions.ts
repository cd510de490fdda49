'use server'
import { revalidatePath } from 'next/cache'
import { ruledTypes } from '@/lib/notifications/input'
import { markAllRead, markRead } from '@/lib/notifications/mark-read'
import { setRule } from '@/lib/notifications/rules'
import type { FormState } from '@/lib/web/form-state'
import { submitForm } from '@/lib/web/submit-form'

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
