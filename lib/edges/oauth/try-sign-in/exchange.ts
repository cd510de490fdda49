import inject, { type DispatchFunc } from 'light-my-request'
import { config } from '@/lib/base/config/env'
import { handleOAuth } from '../http/handler'
import { mount } from '../protocol/routes'
import { blotted } from './blot'

/** A request and its answer as the page shows them: without anything secret. */
export type Exchange = { title: string; request: string; status: number; answer: string }

type Body = Record<string, unknown>

/** Where the person is, for whoever is asked on the consent page. */
type From = { ip?: string; userAgent?: string }

/**
 * Sends a request to the service's own endpoint, as the app would, and writes both sides down. It does not leave the process.
 * @param route below /oauth
 * @param fields of the form; a GET has none
 * @param bearer the token of a request with one
 * @returns what is shown, and the answer as the app would have got it
 */
export async function exchange(
  title: string,
  route: string,
  from: From,
  { fields, bearer }: { fields?: Record<string, string>; bearer?: string },
): Promise<{ shown: Exchange; status: number; body: Body }> {
  const method = fields ? 'POST' : 'GET'
  const url = `${mount}${route}`
  const reply = await inject(handleOAuth as DispatchFunc, {
    method,
    url,
    remoteAddress: from.ip ?? '127.0.0.1',
    headers: {
      host: new URL(config().BASE_URL).host,
      'user-agent': from.userAgent ?? '',
      accept: 'application/json',
      ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    ...(fields && { payload: new URLSearchParams(fields).toString() }),
  })
  const body = parsed(reply.payload)
  const lines = [
    `${method} ${config().BASE_URL}${url}`,
    ...(bearer ? [`Authorization: Bearer ${blotted({ bearer }).bearer}`] : []),
    ...(fields ? ['', ...Object.entries(blotted(fields)).map(([name, value]) => `${name}=${value}`)] : []),
  ]
  return {
    shown: {
      title,
      request: lines.join('\n'),
      status: reply.statusCode,
      answer: Object.keys(body).length > 0 ? JSON.stringify(blotted(body), null, 2) : '',
    },
    status: reply.statusCode,
    body,
  }
}

/** Answers of these endpoints are JSON objects, or empty. */
function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}
