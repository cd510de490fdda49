import { config } from '@/lib/base/config/env'
import { answerDeviceCode, answerDeviceDecision } from '@/lib/edges/oauth/interaction/device-forms'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { requestToken, type TestApp } from './oauth-flow'

/** Starts a device flow. Omits parameters that are undefined. */
export async function beginDevice(app: TestApp, params: Record<string, string | undefined> = {}) {
  const fields = { client_id: app.clientId, client_secret: app.secret, scope: 'openid', ...params }
  const sent = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  const response = await fetch(new URL('/oauth/device/auth', config().BASE_URL), {
    method: 'POST',
    body: new URLSearchParams(sent),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** Sends one request for a token as the device. */
export const pollDevice = (app: TestApp, code: string) =>
  requestToken(app, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code })

/**
 * Signs a user in. @returns functions that create and submit, as this user, the forms on the pages below
 * /device
 */
export async function userAtDevicePages(userId: string) {
  const sid = await startSession({}, userId, ['pwd'])
  const cookie = (await sessionCookie({ sub: userId, sid })).split(';', 1)[0] as string
  const form = (path: string, fields: [string, string][]) =>
    new Request(`${config().BASE_URL}${path}`, {
      method: 'POST',
      headers: { cookie, origin: config().BASE_URL, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  /** Submits a code. @returns the target of the redirect */
  async function type(code: string) {
    const answer = await answerDeviceCode(form('/device/code', [['user_code', code]]))
    return new URL(answer.headers.get('location') as string, config().BASE_URL)
  }
  /** Submits a code. @returns the ticket that the form with the decision contains */
  const ticketFor = async (code: string) => (await type(code)).searchParams.get('request') as string
  /** Submits a decision. @returns the location of the redirect */
  async function submit(ticket: string, decision: string, more: [string, string][] = []) {
    const fields: [string, string][] = [['request', ticket], ['decision', decision], ...more]
    return (await answerDeviceDecision(form('/device/decision', fields))).headers.get('location') as string
  }
  return {
    form,
    type,
    ticketFor,
    submit,
    /**
     * Submits a code and a decision. @returns the parameters of the redirect to the last page, which contain
     * the outcome
     */
    decide: async (code: string, decision: string, more: [string, string][] = []) =>
      new URL(await submit(await ticketFor(code), decision, more), config().BASE_URL).searchParams,
  }
}
