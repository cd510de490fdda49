import { config } from '@/lib/config/env'
import type { Role } from '@/lib/policy/roles'
import { composeMail } from '../compose-mail'
import type { Mail } from '../mail'

const roleWords: Record<Role, string> = { ADMIN: 'an admin', MEMBER: 'a member', VIEWER: 'a viewer' }

/** Carries the link by which someone joins a workspace or project. */
export const invitationMail = (invitation: {
  inviter: string
  /** The name of the workspace or project. */
  to: string
  role: Role
  url: string
  days: number
}): Mail =>
  composeMail({
    subject: `${invitation.inviter} invited you to ${invitation.to}`,
    name: 'there',
    paragraphs: [
      `${invitation.inviter} invited you to join ${invitation.to} on ${config().SERVICE_NAME} as ${roleWords[invitation.role]}.`,
      `The link works once, for ${invitation.days} days.`,
    ],
    action: { label: 'Join', url: invitation.url },
    footer: 'If you do not know the sender, ignore this mail; nothing happens.',
  })
