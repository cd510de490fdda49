import { config } from '@/lib/base/config/env'
import { answerDeviceCode, answerDeviceDecision } from '@/lib/edges/oauth/interaction/device-forms'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { requestToken, type TestApp } from './oauth-flow'

/** A device starts its flow. A parameter set to undefined is left out. */
export async function beginDevice(app: TestApp, params: Record<string, string | undefined> = {}) {
  const fields = { client_id: app.clientId, client_secret: app.secret, scope: 'openid', ...params }
  const sent = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  const response = await fetch(new URL('/oauth/device/auth', config().BASE_URL), {
    method: 'POST',
    body: new URLSearchParams(sent),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** A device asks whether the person has answered. */
export const pollDevice = (app: TestApp, code: string) =>
  requestToken(app, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code })

/** A person at the pages below /device, signed in. */
export async function personAtDevicePages(userId: string) {
  const sid = await startSession({}, userId, ['pwd'])
  const cookie = (await sessionCookie({ sub: userId, sid })).split(';', 1)[0] as string
  const form = (path: string, fields: [string, string][]) =>
    new Request(`${config().BASE_URL}${path}`, {
      method: 'POST',
      headers: { cookie, origin: config().BASE_URL, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  /** Types a code. @returns where that leads */
  const type = async (code: string) =>
    leadsTo(await answerDeviceCode(form('/device/code', [['user_code', code]])))
  return {
    form,
    type,
    /** Types a code and answers the page behind it. @returns what the last page is told */
    async decide(code: string, decision: string, more: [string, string][] = []) {
      const ticket = (await type(code)).searchParams.get('request') as string
      const answer = await answerDeviceDecision(
        form('/device/decision', [['request', ticket], ['decision', decision], ...more]),
      )
      return leadsTo(answer).searchParams
    },
  }
}

const leadsTo = (response: Response) => new URL(response.headers.get('location') as string, config().BASE_URL)
