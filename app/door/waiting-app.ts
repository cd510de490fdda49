import type { Say } from '@/lib/base/language/say'
import { peekInteraction, type WaitingApp } from '@/lib/edges/oauth/interaction/peek-interaction'
import { one, sayTo, type Visit } from './door-page'

/**
 * The app whose request waits behind a sign-in, and the language of the page, which that request may ask for.
 * @returns no app where the person came by themselves
 */
export async function waitingFor(visit: Visit): Promise<{ app: WaitingApp | undefined; say: Say }> {
  const app = await peekInteraction(one(visit, 'next'))
  return { app, say: sayTo(visit, app?.uiLocales) }
}
