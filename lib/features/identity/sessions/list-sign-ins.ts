import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'

/** For so long sign-ins are shown, and at most so many. */
export const signInDays = 30
const most = 100

const columns = {
  id: true,
  ip: true,
  userAgent: true,
  methods: true,
  createdAt: true,
} as const satisfies Prisma.SessionSelect

/** A sign-in as its person sees it, also where its session has ended. */
export type SignIn = Prisma.SessionGetPayload<{ select: typeof columns }>

/**
 * How a person signed in, from where and when, the latest first; sessions that have ended are among them.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 */
export async function listSignIns(actor: Actor): Promise<SignIn[]> {
  authorizeAccount(actor)
  return prisma().session.findMany({
    where: { userId: actor.userId, createdAt: { gt: new Date(databaseNow() - signInDays * 86_400_000) } },
    select: columns,
    orderBy: { createdAt: 'desc' },
    take: most,
  })
}
