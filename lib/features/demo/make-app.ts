import { hashCredential, lastFour, mintClientId, mintCredential } from '@/lib/base/credentials/tokens'
import { idAt } from '@/lib/base/db/paging'
import type { Db } from '@/lib/base/db/prisma'

/** A workspace that the demo just created, with user IDs by email address and project IDs by name. */
export type DemoPlace = {
  tx: Db
  workspaceId: string
  users: ReadonlyMap<string, string>
  projects: ReadonlyMap<string, string>
  now: Date
}

/**
 * Returns a time that is the given number of days ago, in the given hour (UTC). If that time is not in the
 * past, returns the time a minute ago.
 */
export const daysAgo = ({ now }: Pick<DemoPlace, 'now'>, days: number, hour = 10): Date => {
  const moment = new Date(now.getTime() - days * 86_400_000)
  moment.setUTCHours(hour, (days * 17) % 60, (days * 41) % 60, 0)
  return moment < now ? moment : new Date(now.getTime() - 60_000)
}

/**
 * Returns the ID of a demo user or object.
 * @throws Error if the demo does not contain it
 */
export function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (!id) throw new Error(`the demo has no ${name}`)
  return id
}

const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36'
const server = 'release-radar/2.4'
/** IP addresses from the ranges reserved for documentation (RFC 5737). */
const [home, cloud] = ['203.0.113.24', '198.51.100.7']

const callback = 'https://radar.acme.example/callback'

/** The demo's rejected requests, with their age in days. The messages are examples. */
const refusals = [
  {
    days: 0,
    endpoint: 'authorization',
    error: 'invalid_redirect_uri',
    description: 'The redirect_uri is not registered for this app.',
    reason: 'The redirect URI “http://localhost:3000/callback” isn’t registered for this app.',
  },
  {
    days: 2,
    endpoint: 'token',
    error: 'invalid_grant',
    description: 'The authorization code has expired or was already used.',
  },
  {
    days: 5,
    endpoint: 'token',
    error: 'invalid_client',
    description: 'The client secret is wrong.',
    reason: 'It does not match any of the app’s secrets.',
  },
]

/**
 * Creates a web app with a client secret, two users, a month of usage, recent events, and rejected requests.
 * @returns the app's client ID
 */
export async function makeApp(place: DemoPlace): Promise<string> {
  const { tx, workspaceId, users, projects } = place
  const [ada, grace, edsger] = ['ada', 'grace', 'edsger'].map((name) => idOf(users, `${name}@example.com`))
  const createdAt = daysAgo(place, 31)
  const id = mintClientId()
  const secret = mintCredential('clientSecret')
  await tx.oAuthClient.create({
    data: {
      id,
      type: 'WEB',
      name: 'Release Radar',
      workspaceId,
      redirectUris: [callback],
      homepageUrl: 'https://radar.acme.example',
      metadata: { description: 'Shows what was released and where.' },
      createdById: ada,
      createdAt,
      firstAuthorizedAt: daysAgo(place, 30),
      secrets: {
        create: {
          name: 'Production',
          hash: Uint8Array.from(hashCredential(secret)),
          lastFour: lastFour(secret),
          createdById: ada,
          createdAt,
          lastUsedAt: daysAgo(place, 0, 8),
        },
      },
    },
  })
  const scopes = ['openid', 'profile', 'email', 'project:viewer', 'offline_access']
  const projectIds = [...projects.values()]
  for (const [userId, days] of [
    [grace, 30],
    [edsger, 18],
  ] as const) {
    const at = daysAgo(place, days)
    await tx.authorization.create({
      data: {
        id: idAt(at),
        userId: userId as string,
        clientId: id,
        scopes,
        workspaceIds: [],
        projectIds,
        createdAt: at,
        lastUsedAt: daysAgo(place, 0, 9),
      },
    })
  }
  await makeUsage(place, id)
  await makeEvents(place, id, { grace: grace as string, edsger: edsger as string, scopes })
  return id
}

/**
 * Creates 30 days of usage data. The numbers are higher on weekdays and grow slightly. One day has many
 * errors.
 */
async function makeUsage(place: DemoPlace, clientId: string): Promise<void> {
  await place.tx.appUsage.createMany({
    data: Array.from({ length: 30 }, (_, days) => {
      const day = new Date(daysAgo(place, days).toISOString().slice(0, 10))
      const weekend = [0, 6].includes(day.getUTCDay())
      const pace = (weekend ? 0.25 : 1) * (1 + (30 - days) / 60) * (0.85 + ((days * 7) % 5) / 16)
      return {
        clientId,
        day,
        authorizations: Math.round(6 * pace),
        tokens: Math.round(190 * pace),
        requests: Math.round(1_450 * pace),
        errors: days === 5 ? 61 : Math.round(5 * pace),
      }
    }),
  })
}

async function makeEvents(
  place: DemoPlace,
  clientId: string,
  { grace, edsger, scopes }: { grace: string; edsger: string; scopes: string[] },
): Promise<void> {
  const event = (days: number, hour: number, kind: string, userId: string | null, more = {}) => {
    const createdAt = daysAgo(place, days, hour)
    return { id: idAt(createdAt), clientId, kind, userId, ip: home, userAgent: browser, createdAt, ...more }
  }
  await place.tx.appEvent.createMany({
    data: [
      event(18, 9, 'GRANTED', edsger, { scopes }),
      ...[12, 9, 7, 6, 3, 1, 0].map((days) => event(days, 8, 'SIGNED_IN', grace, { scopes })),
      ...[8, 4, 2].map((days) => event(days, 13, 'SIGNED_IN', edsger, { scopes })),
      ...refusals.map(({ days, error, description }) =>
        event(days, 7, 'REFUSED', null, { error, detail: description, ip: cloud, userAgent: server }),
      ),
    ],
  })
  await place.tx.appFailure.createMany({
    data: refusals.map(({ days, ...refusal }) => {
      const createdAt = daysAgo(place, days, 7)
      return { id: idAt(createdAt), clientId, ...refusal, ip: cloud, userAgent: server, createdAt }
    }),
  })
}
