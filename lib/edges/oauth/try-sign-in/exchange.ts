import inject, { type DispatchFunc } from 'light-my-request'
import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import type { OAuthApp } from '@/lib/features/apps/require-app'
import { newSecret } from '@/lib/features/apps/secrets'
import type { SessionActor } from '@/lib/policy/actor'
import { handleOAuth } from '../http/handler'
import type { Exchange } from '../interaction/test-sign-in'
import { mount } from '../protocol/routes'

type Body = Record<string, unknown>

/** The user's IP address and browser, which the consent page shows. */
type From = { ip?: string; userAgent?: string }

/**
 * Sends a request to one of this instance's OAuth endpoints within the process, as the app would send it.
 * @param route the path of the endpoint below /oauth
 * @param fields the form fields of a POST request; undefined for a GET request
 * @param bearer the access token of a request that needs one
 * @returns the exchange to show, with secrets truncated, and the status and complete body of the response
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
    ...(bearer ? [`Authorization: Bearer ${redacted({ bearer }).bearer}`] : []),
    ...(fields ? ['', ...Object.entries(redacted(fields)).map(([name, value]) => `${name}=${value}`)] : []),
  ]
  return {
    shown: {
      title,
      request: lines.join('\n'),
      status: reply.statusCode,
      answer: Object.keys(body).length > 0 ? JSON.stringify(redacted(body), null, 2) : '',
    },
    status: reply.statusCode,
    body,
  }
}

/**
 * Returns a parsed response body, which is a JSON object. Returns an empty object if the body is empty or is
 * not JSON.
 */
function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}

/**
 * The lifetime of the temporary secret. The short lifetime limits the risk if the process ends before it
 * deletes the secret.
 */
const lifetimeMs = 60_000

/**
 * Creates a temporary secret for an app, runs a function, and then deletes the secret, even if the function
 * fails. The app's own secrets cannot be used, because only their hashes are stored. For a native app, no
 * secret is created.
 * @param work receives the fields that identify and authenticate the app
 * @returns the result of the function
 */
export async function withSecret<Result>(
  actor: SessionActor,
  app: OAuthApp,
  work: (credentials: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  if (app.type === 'NATIVE') return work({ client_id: app.id })
  const { value, row } = newSecret(actor)
  const { id } = await prisma().oAuthClientSecret.create({
    data: {
      ...row,
      clientId: app.id,
      name: 'Try sign-in',
      expiresAt: new Date(databaseNow() + lifetimeMs),
    },
    select: { id: true },
  })
  try {
    return await work({ client_id: app.id, client_secret: value })
  } finally {
    await prisma().oAuthClientSecret.deleteMany({ where: { id } })
  }
}

/**
 * The names of fields whose values are secrets. `bearer` stands for the token in the Authorization header.
 * The user code is not in the list, so it is shown.
 */
const secret = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'device_code',
  'client_secret',
  'token',
  'bearer',
])

/** The number of characters of a secret that are shown, which is enough to identify its kind. */
const shownLength = 6

/** Returns fields for display, with secrets truncated. */
const redacted = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secret.has(name) ? `${String(value).slice(0, shownLength)}…` : value,
    ]),
  )
