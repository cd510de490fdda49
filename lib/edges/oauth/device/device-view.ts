import type { BrowserSession } from '@/lib/features/identity/browser-session/session'
import { oauthEngine } from '../engine/provider'
import { type ConsentView, loadConsentView } from '../interaction/consent-view'
import { needsNewSignIn, requestedScopes } from './answer-device-forms'
import { findByTicket } from './device-request'

/** What the page shows before a device gets access. */
export type DeviceView = ConsentView & {
  userCode: string
  requestedFrom: string | undefined
  person: BrowserSession['person']
  uiLocales: string | undefined
}

/**
 * Loads the page of a device's request.
 * @param selected ids a refused form had selected, separated by spaces
 * @returns `gone` when the request was answered or expired, `sign-in` when nobody is signed in (recently enough)
 */
export async function loadDeviceView(
  ticket: string,
  session: BrowserSession | undefined,
  selected: string,
): Promise<DeviceView | 'gone' | 'sign-in'> {
  const device = await findByTicket(ticket)
  if (!device) return 'gone'
  if (!session || needsNewSignIn(device, session)) return 'sign-in'
  const { provider } = await oauthEngine()
  const client = await provider.Client.find(device.clientId)
  if (!client) return 'gone'
  const kept = selected ? new Set(selected.split(' ')) : undefined
  const view = await loadConsentView(session.actor, client, requestedScopes(device), kept)
  const { ip, ua } = device.from
  return {
    ...view,
    userCode: device.userCode,
    requestedFrom: [ua?.slice(0, 80), ip].filter(Boolean).join(', ') || undefined,
    person: session.person,
    uiLocales: typeof device.params.ui_locales === 'string' ? device.params.ui_locales : undefined,
  }
}
