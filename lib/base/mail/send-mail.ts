import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport, type Transporter } from 'nodemailer'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { runInBackground } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { mails } from '@/lib/base/telemetry/metrics'
import { asStoredAddress } from './email-address'

/** A mail, ready to be sent; the text is what is meant, the html the same with a button. */
export type Mail = { subject: string; text: string; html: string }

/** A server that is busy or restarting takes the mail a little later; refusals (5xx) are final. See decision 041. */
const pausesMs = [1_000, 5_000, 20_000]

/**
 * Sends a mail without making the caller wait for it, or fail with it: what a person did counts, whatever becomes of the
 * mail about it. Without an SMTP server it goes to the demo's mailbox, or nowhere, which is logged; neither the log nor,
 * outside demo mode, the database ever holds its text.
 * @param to the address, checked by the caller
 */
export function sendMail(to: string, mail: Mail): void {
  runInBackground('a mail', async () => {
    if (config().SMTP_URL) await deliver(to, mail)
    else if (isMailboxOpen()) await keepInMailbox(to, mail)
    else log.warn('a mail was not sent, because SMTP_URL is not set')
  })
}

/** Whether mails go anywhere: pages offer what needs a mail only then. */
export const canSendMail = (): boolean => config().SMTP_URL !== undefined || isMailboxOpen()

async function deliver(to: string, mail: Mail): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await transport().sendMail({ from: sender(), to: { name: '', address: to }, ...mail })
      mails.add({ outcome: 'sent' })
      return
    } catch (error) {
      const pause = pausesMs[tries]
      const refused = ((error as { responseCode?: number }).responseCode ?? 0) >= 500
      if (pause === undefined || refused) {
        mails.add({ outcome: refused ? 'refused' : 'given-up' })
        throw error
      }
      await sleep(pause)
    }
  }
}

const transport = (): Transporter =>
  remember(`mail-transport ${config().SMTP_URL}`, () =>
    createTransport(config().SMTP_URL as string, {
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )

/** MAIL_FROM, or the service at the host it runs on. */
const sender = () =>
  config().MAIL_FROM ?? {
    name: config().serviceName,
    address: `no-reply@${new URL(config().BASE_URL).hostname}`,
  }

const kept = 200

/**
 * Whether mails are kept for reading at /dev/mailbox instead of being sent: in demo mode (SEED_DEMO, which the launcher
 * sets for the embedded database alone) and without an SMTP server. Anyone on this machine can read them there, links included.
 */
export const isMailboxOpen = (): boolean => config().SEED_DEMO && config().SMTP_URL === undefined

/** Puts a mail into the mailbox, and drops the oldest beyond the last 200. */
async function keepInMailbox(to: string, { subject, text }: Mail): Promise<void> {
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
