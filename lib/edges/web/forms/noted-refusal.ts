import { headers } from 'next/headers'

/** By the request; Next hands the same headers to an action and to the page that answers it. */
const refusals = new WeakMap<object, string>()

/**
 * Notes what a form's action refused. Without a script the page answers the same request, and what stood around the form
 * may be gone from it by then: a row deleted meanwhile, a button for a role that was taken away.
 */
export async function noteRefusal(reason: string): Promise<void> {
  refusals.set(await headers(), reason)
}

/** What the form that this page answers was refused for, if it was. */
export const notedRefusal = async (): Promise<string | undefined> => refusals.get(await headers())
