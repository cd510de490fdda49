import { config } from '@/lib/base/config/env'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { translatorForUser } from '@/lib/base/language/say'
import { log } from '@/lib/base/log/log'
import { composeMail, quotedName } from '@/lib/base/mail/compose-mail'
import { sendMail } from '@/lib/base/mail/send-mail'
import { recordEvent } from '@/lib/features/audit/record-event'
import { rolesWith } from '@/lib/policy/permissions'
import { installationId } from './read-stream'

/** The reason why a message was not delivered. */
export type Trouble = {
  /** The reason as a sentence that the stream's admins see. */
  text: string
  /**
   * Whether the receiver responded with 410. According to the Standard Webhooks specification, the sender
   * must then stop.
   */
  gone: boolean
  /** Whether the receiver responded with 413. The receiver might accept a message with fewer events. */
  tooLarge: boolean
}

/** The number of days of consecutive failures after which the stream stops. */
const patienceDays = 3

/**
 * The maximum delay between attempts, in seconds. The first delay is 10 seconds, and each delay is twice the
 * previous one.
 */
const longestPauseSeconds = 3_600

/**
 * Logs that a message was not delivered, and records the failure and when to try again. After three days of
 * failures or after a 410 response, stops the stream, records an audit event, and emails the admins who can
 * manage the stream.
 * @param jobId the job that sent the message; if the stream is no longer assigned to this job or is disabled,
 * the stream does not change
 */
export async function noteFailure(placeId: string, jobId: string, { text, gone }: Trouble): Promise<void> {
  const stopped = await prisma().$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ disabledAt: Date | null }[]>`
      UPDATE audit_streams
         SET failures = failures + 1, failing_since = coalesce(failing_since, now()), last_error = ${text},
             next_at = now() + make_interval(secs => least(${longestPauseSeconds}, 10 * power(2, least(failures, 12)))),
             disabled_at = CASE WHEN ${gone} OR failing_since < now() - make_interval(days => ${patienceDays}::int)
                           THEN now() END
       WHERE place_id = ${placeId}::uuid AND job_id = ${jobId}::uuid AND disabled_at IS NULL
       RETURNING disabled_at AS "disabledAt"`
    if (!row?.disabledAt) return false
    await recordEvent(
      tx,
      { kind: 'system' },
      {
        action: 'audit_stream.stopped',
        resource: { type: 'audit_stream', id: placeId === installationId ? 'installation' : placeId },
        workspaceId: placeId === installationId ? null : placeId,
        details: { reason: text },
      },
    )
    return true
  })
  log.warn('an audit stream failed', { place: placeId, reason: text, stopped })
  if (stopped) await tellAdmins(prisma(), placeId, text)
}

async function tellAdmins(db: Db, placeId: string, reason: string): Promise<void> {
  const { place, path, users } =
    placeId === installationId ? await installation(db) : await workspace(db, placeId)
  for (const { name, email, language } of users) {
    const say = translatorForUser(language)
    const failed = place
      ? say('stream.mailWorkspace', { place, reason })
      : say('stream.mailInstallation', { reason })
    sendMail(
      email,
      composeMail({
        say,
        subject: say('mail.subject', { what: say('stream.mailSubject'), service: config().serviceName }),
        name,
        paragraphs: [failed, say('stream.mailWaits')],
        actions: [{ label: say('mail.view'), url: `${config().BASE_URL}${path}` }],
      }),
    )
  }
}

const user = { name: true, email: true, language: true } as const

async function installation(db: Db) {
  const users = await db.user.findMany({ where: { instanceAdmin: true, suspendedAt: null }, select: user })
  return { place: undefined, path: '/admin/audit/stream', users }
}

async function workspace(db: Db, id: string) {
  const found = await db.workspace.findUnique({
    where: { id },
    select: {
      name: true,
      slug: true,
      members: {
        where: { role: { in: rolesWith('workspace:stream-audit') }, user: { suspendedAt: null } },
        select: { user: { select: user } },
      },
    },
  })
  return {
    place: quotedName(found?.name ?? ''),
    path: `/workspaces/${found?.slug}/settings/audit-log/stream`,
    users: found?.members.map(({ user }) => user) ?? [],
  }
}
