import { prisma } from '@/lib/base/db/prisma'

/** So long the page still says what became of a question, in milliseconds. */
const shownMs = 86_400_000

/** Removes questions and answers a day after their time. @returns how many */
export const forgetAsks = async (): Promise<number> => {
  const where = { validUntil: { lt: new Date(Date.now() - shownMs) } }
  const asks = await prisma().ask.deleteMany({ where })
  const factorAsks = await prisma().factorAsk.deleteMany({ where })
  return asks.count + factorAsks.count
}
