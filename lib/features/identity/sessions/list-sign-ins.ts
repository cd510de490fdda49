import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { SessionActor } from '@/lib/policy/actor'

/** For so long sign-ins are shown, and at most so many. */
export const signInDays = 30
const most = 100

/** How a person signed in, from where and when, the latest first; sessions that have ended are among them. */
export const listSignIns = ({ userId }: SessionActor) =>
  prisma().session.findMany({
    where: { userId, createdAt: { gt: new Date(databaseNow() - signInDays * 86_400_000) } },
    select: { id: true, ip: true, userAgent: true, methods: true, createdAt: true },
    orderBy: { createdAt: 'desc' },
    take: most,
  })
