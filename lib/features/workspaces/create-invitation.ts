import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt, isWithinLimit } from '@/lib/base/db/limits'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { composeMail, quotedName } from '@/lib/base/mail/compose-mail'
import { emailAddress } from '@/lib/base/mail/email-address'
import { canSendMail, type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Invitation } from '@/lib/generated/prisma/client'
import { type Actor, isApp } from '@/lib/policy/actor'
import { requireUser } from '@/lib/policy/authorize'
import { lockProjectRole, lockWorkspace, lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireProject, requireWorkspace } from '@/lib/policy/require'
import type { Role } from '@/lib/policy/scopes'
import { forgetDepartures } from './former-members'

/** The input for an invitation to a workspace or, with `projectId`, to one project only. */
const invitationInput = z
  .object({
    workspaceId: z.string().nullish(),
    projectId: z.string().nullish(),
    email: emailAddress,
    role: z.enum(['ADMIN', 'MEMBER', 'VIEWER'], { error: 'Choose a role.' }),
  })
  .refine((input) => (input.workspaceId == null) !== (input.projectId == null), {
    path: ['workspaceId'],
    error: 'Pass either a workspace or a project.',
  })

/** The workspace or the project that an invitation is for. */
export type Invitable = { workspaceId: string; projectId: string | null; name: string }

/**
 * Checks that an actor can invite users to a workspace or to one project, and returns that workspace or
 * project. Only the ADMIN role has this permission.
 * @throws the errors of `requireWorkspace` or `requireProject`
 */
export async function requireInvitable(
  actor: Actor,
  to: { workspaceId?: string | null; projectId?: string | null },
): Promise<Invitable> {
  if (to.projectId != null) {
    const project = await requireProject(actor, 'project:manage-members', to.projectId)
    return { workspaceId: project.workspaceId, projectId: project.id, name: project.name }
  }
  const workspace = await requireWorkspace(actor, 'workspace:manage-members', to.workspaceId ?? '')
  return { workspaceId: workspace.id, projectId: null, name: workspace.name }
}

/**
 * Returns the email with the link to join a workspace or project. Any user can create a workspace and invite
 * any email address, and could therefore misuse these emails. For this reason, the subject contains no text
 * that users entered, and names in the body are in quotation marks.
 */
export function invitationMail(
  say: Say,
  invitation: {
    inviter: string
    /** The name of the workspace or project. */
    to: string
    role: Role
    url: string
    days: number
  },
): Mail {
  const service = config().serviceName
  const inviter = quotedName(invitation.inviter)
  const place = quotedName(invitation.to)
  const role = say(`role.${invitation.role}`)
  return composeMail({
    say,
    subject: say('invited.mailSubject', { service }),
    paragraphs: [
      say('invited.mailText', { inviter, place, service, role }),
      say('invited.mailLink', { days: invitation.days }),
    ],
    actions: [{ label: say('invited.mailAction'), url: invitation.url }],
    footer: say('invited.mailUnknown'),
    welcomes: true,
  })
}

/** The number of days for which an invitation can be accepted. */
const invitationDays = 7

/**
 * The limit on the invitations that a user can create in an hour. Without this limit, users could send spam,
 * because they choose the recipients and the names in the emails. The limit is high enough to invite a whole
 * team.
 */
const perUser: AttemptLimit = {
  name: 'invite',
  points: 50,
  seconds: 3600,
  message: 'You have sent too many invitations. Try again in an hour.',
}

/**
 * The limit on invitation emails to one mailbox, from all inviters together. Beyond it, inviters must share
 * the link themselves.
 */
const perMailbox: AttemptLimit = { name: 'invite-mailbox', points: 10, seconds: 3600, message: '' }

export type NewInvitation = {
  invitation: Invitation
  /**
   * The link, which is returned only once. Null if an app creates the invitation, because an app could give
   * the link to anyone. In that case, the recipient can get the link only by email.
   */
  link: string | null
  /** Whether the link is sent by email. If not, the inviter must share the link. */
  mailed: boolean
}

/**
 * Invites the owner of an email address with a link that works once and expires after `invitationDays` days.
 * Replaces an earlier invitation of the email address to the same workspace or project. An invitation to a
 * workspace also allows a removed user to join through SSO again. Requires `workspace:manage-members` or
 * `project:manage-members`. The link is emailed if email is configured and the inviter's own email address is
 * verified. Unverified inviters cannot send it by email, because spammers could otherwise send emails in the
 * instance's name. Beyond the limit on emails to one mailbox, the link is not emailed either.
 * @param input `workspaceId` or `projectId`, `email`, `role`
 * @throws AppError BAD_USER_INPUT, CONFLICT on `email` (already a member), RATE_LIMITED, and the errors of
 * `requireInvitable`
 */
export async function createInvitation(actor: Actor, input: unknown): Promise<NewInvitation> {
  const { workspaceId, projectId, email, role } = parseInput(invitationInput, input)
  const to = await requireInvitable(actor, { workspaceId, projectId })
  requireUser(actor)
  await countAttempt(perUser, actor.userId)
  const token = mintCredential('invitation')
  const { invitation, inviter } = await prisma().$transaction(async (tx) => {
    // Lock the workspace, so that two concurrent invitations of the same email address do not both stay open.
    await lockWorkspace(tx, to.workspaceId)
    await holdInvitable(tx, actor, to)
    await refuseMembers(tx, to, email)
    await tx.invitation.deleteMany({ where: { workspaceId: to.workspaceId, projectId: to.projectId, email } })
    if (!to.projectId) await forgetDepartures(tx, to.workspaceId, { email })
    const made = await tx.invitation.create({
      data: {
        workspaceId: to.workspaceId,
        projectId: to.projectId,
        email,
        role,
        hash: Uint8Array.from(hashCredential(token)),
        invitedById: actor.userId,
        expiresAt: new Date(databaseNow() + invitationDays * 86_400_000),
      },
    })
    await recordEvent(tx, actor, {
      action: 'invitation.created',
      resource: { type: 'invitation', id: made.id },
      workspaceId: to.workspaceId,
      details: { email, role, ...(to.projectId ? { projectId: to.projectId } : {}) },
    })
    const user = await tx.user.findUniqueOrThrow({
      where: { id: actor.userId },
      select: { name: true, emailVerifiedAt: true, language: true },
    })
    return { invitation: made, inviter: user }
  })
  const link = `${config().BASE_URL}/invitations/${token}`
  const mailed = canSendMail() && inviter.emailVerifiedAt !== null && (await isWithinLimit(perMailbox, email))
  if (mailed) {
    const named = { inviter: inviter.name, to: to.name, role }
    const invited = await prisma().user.findUnique({ where: { email }, select: { language: true } })
    // If no language is stored for the recipient, for example because the recipient has no account, use the
    // inviter's language.
    const say = translatorForUser(invited?.language ?? inviter.language)
    sendMail(email, invitationMail(say, { ...named, url: link, days: invitationDays }))
  }
  return { invitation, link: isApp(actor) ? null : link, mailed }
}

const holdInvitable = (tx: Db, actor: Actor, { workspaceId, projectId }: Invitable): Promise<void> =>
  projectId
    ? lockProjectRole(tx, actor, 'project:manage-members', { id: projectId, workspaceId })
    : lockWorkspaceRole(tx, actor, 'workspace:manage-members', workspaceId)

async function refuseMembers(tx: Db, to: Invitable, email: string): Promise<void> {
  const user = { email }
  const members = to.projectId
    ? await tx.projectMember.count({ where: { projectId: to.projectId, user } })
    : await tx.workspaceMember.count({ where: { workspaceId: to.workspaceId, user } })
  if (members > 0) {
    throw new AppError('CONFLICT', 'This user is already a member.', {
      field: 'email',
      fields: { email: 'This user is already a member.' },
    })
  }
}
