import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { sayIn } from '@/lib/base/language/say'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { resetPasswordMail } from '@/lib/features/identity/users/request-password-reset'
import { captureLog } from '@/lib/testing/captured-log'
import { readMailbox, sendMail } from './send-mail'

const mail = () =>
  resetPasswordMail(sayIn('en'), { name: 'Åda', url: 'https://login.example.com/reset-password?token=abc' })
const servers: SMTPServer[] = []

beforeEach(() => prisma().outboxMail.deleteMany())
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  resetConfig()
  for (const server of servers.splice(0)) await new Promise<void>((done) => server.close(done))
})

/** Starts an SMTP server that keeps the emails it receives. */
async function smtp(options: SMTPServerOptions = {}) {
  const received: { from: string; to: string[]; source: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        })
        callback()
      })
    },
    ...options,
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  servers.push(server)
  const { port } = server.server.address() as AddressInfo
  use({ SMTP_URL: `smtp://127.0.0.1:${port}` })
  return received
}

function use(settings: Record<string, string>) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  resetConfig()
}

it('emails are sent by SMTP from MAIL_FROM, with the text part first', async () => {
  const received = await smtp()
  use({ MAIL_FROM: 'Latchkey <hello@example.com>' })
  sendMail('ada@example.com', mail())
  await settleBackgroundWork()
  expect(received).toMatchObject([{ from: 'hello@example.com', to: ['ada@example.com'] }])
  const source = received[0]?.source ?? ''
  expect(source).toContain('From: Latchkey <hello@example.com>')
  expect(source.indexOf('text/plain')).toBeGreaterThan(0)
  expect(source.indexOf('text/plain')).toBeLessThan(source.indexOf('text/html'))
  expect(await prisma().outboxMail.count()).toBe(0)
})

it('emails come from the host of BASE_URL if MAIL_FROM is not set', async () => {
  const received = await smtp()
  use({ BASE_URL: 'https://login.example.com' })
  sendMail('ada@example.com', mail())
  await settleBackgroundWork()
  expect(received[0]?.from).toBe('no-reply@login.example.com')
})

it('an email that the mail server rejects causes no error for the caller, and its text and recipient are not logged', async () => {
  const log = captureLog()
  const received = await smtp({ onRcptTo: (_to, _session, callback) => callback(new Error('no such box')) })
  expect(sendMail('ada@example.com', mail())).toBeUndefined()
  await settleBackgroundWork()
  expect(received).toEqual([])
  log.release()
  expect(log.entries()).toMatchObject([{ level: 'error', name: 'a mail' }])
  expect(log.text()).not.toMatch(/token=|ada@/)
})

it('an email is sent again if the mail server is busy', async () => {
  let tries = 0
  const received = await smtp({
    onMailFrom(_from, _session, callback) {
      tries++
      const busy = Object.assign(new Error('try later'), { responseCode: 451 })
      callback(tries === 1 ? busy : null)
    },
  })
  sendMail('ada@example.com', mail())
  await settleBackgroundWork()
  expect(received).toHaveLength(1)
})

it('in demo mode without a mail server, emails are stored in the demo mailbox', async () => {
  use({ SEED_DEMO: '1' })
  sendMail('ada@example.com', mail())
  await settleBackgroundWork()
  sendMail('grace@example.com', mail())
  await settleBackgroundWork()
  expect((await readMailbox()).map(({ to }) => to)).toEqual(['grace@example.com', 'ada@example.com'])
  expect(await readMailbox('Ada@example.com')).toMatchObject([{ text: mail().text }])
})

it('without a mail server and outside of demo mode, emails are neither stored nor shown', async () => {
  const log = captureLog()
  use({ NODE_ENV: 'production' })
  sendMail('ada@example.com', mail())
  await settleBackgroundWork()
  expect(await prisma().outboxMail.count()).toBe(0)
  log.release()
  expect(log.text()).toContain('SMTP_URL is not set')
  expect(log.text()).not.toMatch(/token=|ada@/)
  await expect(readMailbox()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('the demo mailbox is not available if a mail server is configured', async () => {
  use({ SEED_DEMO: '1', SMTP_URL: 'smtp://127.0.0.1:1' })
  await expect(readMailbox()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('the demo mailbox keeps only the last 200 emails', async () => {
  use({ SEED_DEMO: '1' })
  await prisma().outboxMail.createMany({
    data: Array.from({ length: 205 }, (_, at) => ({ to: `${at}@example.com`, subject: 's', text: 't' })),
  })
  sendMail('last@example.com', mail())
  await settleBackgroundWork()
  expect(await prisma().outboxMail.count()).toBe(200)
  expect(await readMailbox('last@example.com')).toHaveLength(1)
})
