import inject, { type DispatchFunc } from 'light-my-request'
import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import type { OAuthApp } from '@/lib/features/apps/require-app'
import { newSecret } from '@/lib/features/apps/secrets'
import type { SessionActor } from '@/lib/policy/actor'
import { handleOAuth } from '../http/handler'
import { mount } from '../protocol/routes'

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

/** It ends by itself, should this process end before it takes it back. */
const lifetimeMs = 60_000

/**
 * Does something with a secret of an app that exists for just that long. Its own secrets are stored as hashes, and nobody here
 * knows them. A native app has none.
 * @param work gets the fields by which the app authenticates
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

/** Fields that hold a secret, in requests and answers of the OAuth endpoints. The user code is for the person to see. */
const secret = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'device_code',
  'client_secret',
  'token',
  'bearer',
])

/** What is left of a secret: enough to see of which kind it is. */
const shownLength = 6

/** Fields as they are shown: of a secret its beginning alone. */
const blotted = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secret.has(name) ? `${String(value).slice(0, shownLength)}…` : value,
    ]),
  )
