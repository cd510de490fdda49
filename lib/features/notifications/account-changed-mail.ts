import { config } from '@/lib/base/config/env'
import { composeMail } from '@/lib/base/mail/compose-mail'
import type { Mail } from '@/lib/base/mail/mail'

/** A change of what opens an account: the subject, and what it means. */
type Change = { title: string; text: string }

/** The recorded events that their person is always told about by mail, whoever brought them about. */
export const accountChanges: Record<string, Change> = {
  'user.password_changed': {
    title: 'Your password was changed',
    text: 'The password of your account was changed, and you were signed out everywhere else.',
  },
  'person.password_reset': {
    title: 'Your password was changed',
    text: 'A new password was set by a mailed link, and you were signed out everywhere.',
  },
  'person.email_changed': {
    title: 'Your email address was changed',
    text: 'From now on you sign in with this address, and mails go here. The former address was told.',
  },
  'person.identity_joined': {
    title: 'A way to sign in was added',
    text: 'An account at another service, with the same email address, signs you in from now on.',
  },
  'person.operator_added': {
    title: 'You are an operator now',
    text: 'You were made an operator of this installation: you can manage its people, workspaces and apps.',
  },
  'person.operator_removed': {
    title: 'You are no longer an operator',
    text: 'Your right to manage this installation was taken away.',
  },
  'person.second_factors_removed': {
    title: 'Two-factor was switched off',
    text: 'Whoever runs this service removed your authenticator app, passkeys and recovery codes, and signed you out everywhere.',
  },
  'two_factor.totp_added': {
    title: 'An authenticator app was added',
    text: 'From now on signing in takes a code from an authenticator app, or another second step.',
  },
  'two_factor.totp_removed': {
    title: 'An authenticator app was removed',
    text: 'Signing in no longer takes a code from an authenticator app.',
  },
  'two_factor.passkey_added': {
    title: 'A passkey was added',
    text: 'A passkey signs you in from now on, by itself or as the second step.',
  },
  'two_factor.passkey_removed': {
    title: 'A passkey was removed',
    text: 'A passkey of yours no longer signs you in.',
  },
  'two_factor.recovery_codes_renewed': {
    title: 'Your recovery codes were renewed',
    text: 'Ten new recovery codes were made; the old ones no longer work.',
  },
  'two_factor.recovery_code_used': {
    title: 'A recovery code was used',
    text: 'Somebody, most likely you, signed in with a recovery code in place of the second step.',
  },
}

/** What goes on working when the password is another. */
export type StillOpen = { tokens: number; apps: number }

/**
 * Tells a person that something which opens their account has changed, and what to do if it was not them.
 * @param ip where it came from, as far as that is known
 * @param still tokens and apps that go on working
 */
export function accountChangedMail(
  change: Change,
  { name, ip, still }: { name: string; ip: string | undefined; still: StillOpen },
): Mail {
  const { BASE_URL, SERVICE_NAME } = config()
  const page = (path: string) => `${BASE_URL}${path}`
  const open = [counted(still.tokens, 'API token'), counted(still.apps, 'authorized app')].filter(Boolean)
  return composeMail({
    subject: `${change.title}: ${SERVICE_NAME}`,
    name,
    paragraphs: [
      `${change.text}${ip ? ` It came from the address ${ip}.` : ''}`,
      'If you expected this, there is nothing to do. If you did not, set a new password at once: that ends every session.',
      ...(open.length > 0
        ? [`A new password does not end what you let in: ${open.join(' and ')}. End what you do not know.`]
        : []),
    ],
    actions: [
      { label: 'Set a new password', url: page('/forgot-password') },
      ...(still.tokens > 0 ? [{ label: 'Look through your API tokens', url: page('/account/tokens') }] : []),
      ...(still.apps > 0 ? [{ label: 'Look through your authorized apps', url: page('/account/apps') }] : []),
    ],
  })
}

const counted = (count: number, noun: string) =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
