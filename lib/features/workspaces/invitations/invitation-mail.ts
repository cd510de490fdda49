import { config } from '@/lib/base/config/env'
import type { Say } from '@/lib/base/language/say'
import { composeMail, quotedName } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/send-mail'
import type { Role } from '@/lib/policy/scopes'

/**
 * Carries the link by which someone joins a workspace or project. Anybody can make a workspace and invite anybody, so the
 * subject holds no word of theirs, and the names in the text are told apart from ours.
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
  const service = config().SERVICE_NAME
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
