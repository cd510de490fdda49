import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { asStoredAddress } from './email-address'
import type { Mail } from './mail'

const kept = 200

/**
 * Whether mails are kept for reading at /dev/mailbox instead of being sent: in demo mode (SEED_DEMO, which the launcher
 * sets for the embedded database alone) and without an SMTP server. Anyone on this machine can read them there, links included.
 */
export const isMailboxOpen = (): boolean => config().SEED_DEMO && config().SMTP_URL === undefined

/** Puts a mail into the mailbox, and drops the oldest beyond the last 200. */
export async function keepInMailbox(to: string, { subject, text }: Mail): Promise<void> {
  await prisma().outboxMail.create({ data: { to, subject, text } })
  const oldest = await prisma().outboxMail.findFirst({
    orderBy: { id: 'desc' },
    skip: kept - 1,
    select: { id: true },
  })
  if (oldest) await prisma().outboxMail.deleteMany({ where: { id: { lt: oldest.id } } })
}

/**
 * The mails of the mailbox, the newest first.
 * @param to only those to this address
 * @throws AppError NOT_FOUND outside demo mode
 */
export async function readMailbox(to?: string) {
  if (!isMailboxOpen()) throw new AppError('NOT_FOUND')
  return prisma().outboxMail.findMany({
    where: to ? { to: asStoredAddress(to) } : {},
    orderBy: { id: 'desc' },
    take: 50,
  })
}
