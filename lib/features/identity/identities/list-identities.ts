import { prisma } from '@/lib/base/db/prisma'
import type { SessionActor } from '@/lib/policy/actor'

/** The accounts at identity providers that sign the person in, the oldest first. */
export const listIdentities = ({ userId }: SessionActor) =>
  prisma().identity.findMany({
    where: { userId },
    orderBy: { createdAt: 'asc' },
    select: { provider: true, subject: true, createdAt: true },
  })
