import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { newSecret } from '@/lib/features/apps/new-secret'
import type { OAuthApp } from '@/lib/features/apps/require-app'
import type { SessionActor } from '@/lib/policy/actor'

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
