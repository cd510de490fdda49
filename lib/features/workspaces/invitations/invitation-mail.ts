import { config } from '@/lib/base/config/env'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/mail'
import { quotedName } from '@/lib/base/mail/strangers-text'
import type { Role } from '@/lib/policy/roles'

const roleWords: Record<Role, string> = { ADMIN: 'an admin', MEMBER: 'a member', VIEWER: 'a viewer' }

/**
 * Carries the link by which someone joins a workspace or project. Anybody can make a workspace and invite anybody, so the
 * subject holds no word of theirs, and the names in the text are told apart from ours.
 */
export const invitationMail = (invitation: {
  inviter: string
  /** The name of the workspace or project. */
  to: string
  role: Role
  url: string
  days: number
}): Mail =>
  composeMail({
    subject: `You are invited to ${config().SERVICE_NAME}`,
    name: 'there',
    paragraphs: [
      `${quotedName(invitation.inviter)} invited you to join ${quotedName(invitation.to)} on ${config().SERVICE_NAME} as ${roleWords[invitation.role]}.`,
      `The link works once, for ${invitation.days} days.`,
    ],
    actions: [{ label: 'Join', url: invitation.url }],
    footer:
      'The names were chosen by the sender. If you do not know them, ignore this mail; nothing happens.',
  })
