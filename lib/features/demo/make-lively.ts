import { randomUUID } from 'node:crypto'
import { seal } from '@/lib/base/credentials/seal'
import { hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { idAt } from '@/lib/base/db/paging'
import { mintSigningSecret } from '@/lib/features/webhooks/deliver'
import type { Prisma } from '@/lib/generated/prisma/client'
import { type DemoPlace, daysAgo, idOf, makeApp } from './make-app'

/**
 * Fills a demo workspace with a month of data: environments with variables, an app with usage and rejected
 * requests, a webhook with deliveries, a token, and an audit log. No one knows the values of the credentials,
 * and nothing is sent.
 */
export async function makeLively(place: DemoPlace): Promise<void> {
  await makeEnvironments(place)
  const clientId = await makeApp(place)
  const webhookId = await makeWebhook(place)
  await makeTrail(place, { clientId, webhookId })
}

const website = { NEXT_PUBLIC_SITE_NAME: 'Acme', LOG_LEVEL: 'info', FEATURE_SEARCH: 'on' }
const payments = { CURRENCY: 'EUR', PAYOUT_DAY: '15', STATEMENT_DESCRIPTOR: 'ACME INC' }

/**
 * The environments of each project, with their age in days and their variables. None of the values is a
 * secret.
 */
const environments: [project: string, name: string, days: number, variables: Record<string, string>][] = [
  ['Website', 'production', 33, { ...website, SITE_URL: 'https://www.acme.example' }],
  ['Website', 'staging', 33, { ...website, SITE_URL: 'https://staging.acme.example', LOG_LEVEL: 'debug' }],
  ['Payments', 'production', 27, { ...payments, PROVIDER_MODE: 'live' }],
  ['Payments', 'staging', 27, { ...payments, PROVIDER_MODE: 'test' }],
]

/**
 * Creates the environments with their variables, and records the author and the date of each variable. Skips
 * projects that do not exist.
 */
async function makeEnvironments(place: DemoPlace): Promise<void> {
  const { tx, users, projects } = place
  const grace = idOf(users, 'grace@example.com')
  for (const [project, name, days, variables] of environments) {
    const projectId = projects.get(project)
    if (!projectId) continue
    const createdAt = daysAgo(place, days)
    const environmentId = idAt(createdAt)
    const each = Object.entries(variables).map(([variable, value], at) => ({
      at: daysAgo(place, days - at * 3, 11),
      name: variable,
      value,
    }))
    await tx.environment.create({
      data: { id: environmentId, projectId, name, revision: each.length, createdAt },
    })
    await tx.variable.createMany({
      data: each.map(({ at, name: variable, value }) => ({
        id: idAt(at),
        environmentId,
        name: variable,
        sealedValue: Uint8Array.from(seal(value, 'variable')),
        createdAt: at,
        updatedAt: at,
      })),
    })
    await tx.variableChange.createMany({
      data: each.map(({ at, name: variable }) => ({
        id: idAt(at),
        environmentId,
        name: variable,
        action: 'CREATED' as const,
        userId: grace,
        actorKind: 'session',
        createdAt: at,
      })),
    })
  }
}

type Made = { clientId: string; webhookId: string }

/** Creates an API token whose value no one knows, and a month of audit events. */
async function makeTrail(place: DemoPlace, { clientId, webhookId }: Made): Promise<void> {
  const { tx, workspaceId, users, projects, now } = place
  const [ada, grace, edsger] = ['ada', 'grace', 'edsger'].map((name) => idOf(users, `${name}@example.com`))
  const token = mintCredential('workspaceToken')
  const made = daysAgo(place, 9)
  const tokenId = idAt(made)
  await tx.apiToken.create({
    data: {
      id: tokenId,
      kind: 'WORKSPACE',
      name: 'Nightly build',
      hash: Uint8Array.from(hashCredential(token)),
      lastFour: lastFour(token),
      userId: ada as string,
      workspaceId,
      role: 'MEMBER',
      createdAt: made,
      expiresAt: new Date(now.getTime() + 60 * 86_400_000),
      lastUsedAt: daysAgo(place, 0, 2),
    },
  })
  let minutes = 0
  const event = (
    days: number,
    who: string | undefined,
    action: string,
    [resourceType, resourceId]: [type: string, id: string | undefined],
    details: Prisma.InputJsonObject = {},
  ) => {
    // Add one more minute for each event, so that events on the same day stay in order.
    const createdAt = new Date(daysAgo(place, days, 12).getTime() + 60_000 * ++minutes)
    return {
      id: idAt(createdAt),
      workspaceId,
      userId: who ?? null,
      actorKind: 'session',
      action,
      resourceType,
      resourceId: resourceId ?? '',
      details,
      ip: '203.0.113.24',
      createdAt,
    }
  }
  const project = (name: string): ['project', string | undefined] => ['project', projects.get(name)]
  const app: [string, string] = ['oauth_app', clientId]
  await tx.auditEvent.createMany({
    data: [
      event(35, ada, 'workspace.created', ['workspace', workspaceId], { name: 'Acme' }),
      event(35, ada, 'member.added', ['user', grace], { role: 'MEMBER' }),
      event(34, ada, 'project.created', project('Website'), { name: 'Website' }),
      event(33, grace, 'environment.created', ['environment', idAt(daysAgo(place, 33))], {
        name: 'production',
        projectId: idOf(projects, 'Website'),
      }),
      event(31, ada, 'oauth_app.created', app, { name: 'Release Radar', type: 'WEB' }),
      event(28, ada, 'webhook.created', ['webhook', webhookId], { url: 'https://hooks.acme.example' }),
      event(28, ada, 'project.created', project('Payments'), { name: 'Payments' }),
      event(24, ada, 'member.added', ['user', edsger], { role: 'VIEWER' }),
      event(16, ada, 'oauth_app.updated', app, { name: 'Release Radar' }),
      event(11, grace, 'project.updated', project('Website'), { name: 'Website' }),
      event(9, ada, 'api_token.created', ['api_token', tokenId], { name: 'Nightly build' }),
      event(3, grace, 'project.updated', project('Payments'), { name: 'Payments' }),
      event(1, ada, 'webhook.updated', ['webhook', webhookId], { url: 'https://hooks.acme.example' }),
    ],
  })
}

/** The demo's webhook deliveries: the age in days, the event, the resource type, and the response status. */
const samples: [days: number, event: string, resource: string, status: number][] = [
  [26, 'project.created', 'project', 204],
  [24, 'member.added', 'user', 204],
  [18, 'app.authorized', 'authorization', 204],
  [11, 'project.updated', 'project', 204],
  [9, 'token.created', 'api_token', 503],
  [8, 'token.created', 'api_token', 204],
  [3, 'project.updated', 'project', 204],
  [1, 'app.authorized', 'authorization', 204],
]

/** Creates a webhook with deliveries. The webhook is disabled, because its URL has no receiver. */
async function makeWebhook(place: DemoPlace): Promise<string> {
  const { tx, workspaceId, users, now } = place
  const createdAt = daysAgo(place, 28)
  const webhookId = idAt(createdAt)
  await tx.webhook.create({
    data: {
      id: webhookId,
      workspaceId,
      url: 'https://hooks.acme.example/latchkey',
      events: ['app.authorized', 'member.*', 'project.*', 'token.*'],
      sealedSecret: Uint8Array.from(seal(mintSigningSecret(), 'webhook-secret')),
      disabledAt: now,
      createdAt,
    },
  })
  await tx.webhookDelivery.createMany({
    data: samples.map(([days, event, type, status]) => {
      const at = daysAgo(place, days, 12)
      const taken = status < 300
      const actor = { kind: 'session', userId: idOf(users, 'ada@example.com'), id: null }
      return {
        id: idAt(at),
        webhookId,
        eventId: randomUUID(),
        event,
        payload: {
          type: event,
          timestamp: at.toISOString(),
          data: { workspaceId, resource: { type, id: idAt(at) }, actor, details: {} },
        },
        status: taken ? ('DELIVERED' as const) : ('FAILED' as const),
        attempts: taken ? 1 : 11,
        responseStatus: status,
        response: taken ? '' : 'Service Unavailable',
        createdAt: at,
        lastAttemptAt: at,
      }
    }),
  })
  return webhookId
}
