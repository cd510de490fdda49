import { prisma } from '@/lib/base/db/prisma'

const shown = { name: true, createdAt: true, lastUsedAt: true } as const

/** A passkey as the person knows it: several may have one name. */
export type NamedFactor = { name: string; createdAt: Date; lastUsedAt: Date | null }

/** What a passkey is called, and since when it is there; null for one that is gone, and for what has no name. */
export const nameFactor = async ({ factorId }: { factorId: string }): Promise<NamedFactor | null> =>
  factorId ? prisma().passkey.findUnique({ where: { id: factorId }, select: shown }) : null
