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

/** An email that is ready to be sent. `html` has the same content as `text`. */
export type Mail = { subject: string; text: string; html: string }

/**
 * The pauses before retries, in milliseconds. After a failure, the email is sent again up to three times,
 * because the mail server might be busy or restarting. An email that the mail server rejects (5xx) is not
 * sent again. See ADR 0028.
 */
const pausesMs = [1_000, 5_000, 20_000]

/**
 * Sends an email in the background. A failure is logged and does not affect the caller. Without an SMTP
 * server, the email is stored in the demo mailbox in demo mode, or else is discarded with a log entry. The
 * email's text is never logged, and is stored in the database only in demo mode.
 * @param to the recipient's email address, which the caller must have validated
 */
export function sendMail(to: string, mail: Mail): void {
  runInBackground('a mail', async () => {
    if (config().SMTP_URL) await deliver(to, mail)
    else if (isMailboxOpen()) await keepInMailbox(to, mail)
    else log.warn('an email was not sent, because SMTP_URL is not set')
  })
}

/**
 * Returns whether an SMTP server is configured or emails are kept in the demo mailbox. If neither is the
 * case, pages do not offer features that need email.
 */
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

/**
 * Returns MAIL_FROM. If it is not set, returns the service's name and the address no-reply at the host of
 * BASE_URL.
 */
const sender = () =>
  config().MAIL_FROM ?? {
    name: config().serviceName,
    address: `no-reply@${new URL(config().BASE_URL).hostname}`,
  }

const kept = 200

/**
 * Returns whether emails are stored and shown at /dev/mailbox instead of being sent. This is the case in demo
 * mode (SEED_DEMO, which the launcher sets only for the embedded database) without an SMTP server. In that
 * case, all users of this machine can read the emails, including their links.
 */
export const isMailboxOpen = (): boolean => config().SEED_DEMO && config().SMTP_URL === undefined

/** Stores an email, without its HTML, in the demo mailbox and deletes all but the latest 200 emails. */
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
 * Returns the latest 50 emails in the mailbox, newest first.
 * @param to the recipient's email address; if omitted or empty, emails to all recipients are returned
 * @throws AppError NOT_FOUND unless emails are kept in the mailbox
 */
export async function readMailbox(to?: string) {
  if (!isMailboxOpen()) throw new AppError('NOT_FOUND')
  return prisma().outboxMail.findMany({
    where: to ? { to: asStoredAddress(to) } : {},
    orderBy: { id: 'desc' },
    take: 50,
  })
}
