import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { MailList } from '@/components/notifications/mail-list'
import { Alert } from '@/components/ui/alert'
import { EmptyState } from '@/components/ui/empty-state'
import { Inbox } from '@/components/ui/icon'
import { config } from '@/lib/base/config/env'
import { isMailboxOpen, readMailbox } from '@/lib/base/mail/send-mail'
import { isFromThisMachine } from '@/lib/server/dispatch'

export const metadata: Metadata = { title: 'Mailbox', robots: { index: false } }

/**
 * Shows the latest emails of a demo without an SMTP server. With `?to=`, the page shows only the emails to
 * that address. Visitors from other machines, and visitors of all other instances, get a 404.
 */
export default async function MailboxPage({
  searchParams,
}: {
  searchParams: Promise<{ to?: string | string[] }>
}) {
  if (!isMailboxOpen() || !isFromThisMachine(await headers())) notFound()
  const to = [(await searchParams).to].flat()[0]
  const mails = await readMailbox(to)
  return (
    <main className="mx-auto grid w-full max-w-[720px] gap-5 px-4 py-8">
      <header className="grid gap-1">
        <h1 className="font-semibold text-[22px] leading-8">Mailbox</h1>
        <p className="text-muted">
          {to ? `Emails to ${to}, newest first.` : 'Emails this demo would have sent, newest first.'}
        </p>
      </header>
      <Alert tone="warning" title="Only in demo mode">
        Anyone on this machine can read these emails, including their links. Set SMTP_URL to send emails
        instead.
      </Alert>
      {mails.length > 0 ? (
        <MailList mails={mails} origin={config().BASE_URL} />
      ) : (
        <EmptyState icon={Inbox} title={to ? `No emails to ${to} yet` : 'No emails yet'}>
          Sign up or reset a password. The email appears here.
        </EmptyState>
      )}
    </main>
  )
}
