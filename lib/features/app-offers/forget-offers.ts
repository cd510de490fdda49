import { prisma } from '@/lib/base/db/prisma'

/** Removes offers whose time is over. */
export const forgetOffers = () => prisma().appOffer.deleteMany({ where: { expiresAt: { lt: new Date() } } })
