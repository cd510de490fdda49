import { hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { idAt } from '@/lib/base/db/keyset'
import type { Prisma } from '@/lib/generated/prisma/client'
import { type DemoPlace, daysAgo, idOf } from './demo-place'

type Made = { clientId: string; webhookId: string }

/** An API token that nobody knows, and the audit log of a month. */
export async function makeTrail(place: DemoPlace, { clientId, webhookId }: Made): Promise<void> {
  const { tx, workspaceId, people, projects, now } = place
  const [ada, grace, edsger] = ['ada', 'grace', 'edsger'].map((name) => idOf(people, `${name}@example.com`))
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
  let told = 0
  const event = (
    days: number,
    who: string | undefined,
    action: string,
    [resourceType, resourceId]: [type: string, id: string | undefined],
    details: Prisma.InputJsonObject = {},
  ) => {
    // Each a minute after the one before, so that those of one day stand in their order.
    const createdAt = new Date(daysAgo(place, days, 12).getTime() + 60_000 * ++told)
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
