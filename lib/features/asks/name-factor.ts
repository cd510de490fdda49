import { prisma } from '@/lib/base/db/prisma'

/** What a passkey is called; undefined for one that is gone, and for what has no name. */
export const nameFactor = async ({ factorId }: { factorId: string }): Promise<string | undefined> =>
  factorId
    ? (await prisma().passkey.findUnique({ where: { id: factorId }, select: { name: true } }))?.name
    : undefined
