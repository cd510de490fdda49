import { describe, expect, it } from 'vitest'
import { sayIn } from '@/lib/base/language/say'
import { verifyEmailMail } from '@/lib/features/identity/email-verification/verify-email-mail'
import { resetPasswordMail } from '@/lib/features/identity/password-reset/reset-password-mail'
import { noticeMail } from '@/lib/features/notifications/notice-mail'
import { invitationMail } from '@/lib/features/workspaces/invitations/invitation-mail'

const lure = 'URGENT: your account is locked, see https://evil.example/unlock'
const url = 'https://login.example.com/invitations/abc'
const days = 7

/** What a mail program would make a link of. */
const link = /evil\.example|:\/\/evil/

describe('m25: a mail in the service’s name with a stranger’s text', () => {
  it.each([
    ['a workspace', invitationMail(sayIn('en'), { inviter: 'RL', to: lure, role: 'ADMIN', url, days })],
    ['an inviter', invitationMail(sayIn('en'), { inviter: lure, to: 'Acme', role: 'VIEWER', url, days })],
    [
      'an app',
      noticeMail(sayIn('en'), {
        type: 'APP_AUTHORIZED',
        name: 'Ada',
        title: `${lure} can now access Acme`,
        body: lure,
        url,
      }),
    ],
    ['whoever signed up with the address', resetPasswordMail(sayIn('en'), { name: lure, url })],
  ])('says nothing of %s in its subject, and makes no link of it', (_who, mail) => {
    expect(mail.subject).not.toContain('URGENT')
    expect(mail.text).not.toMatch(link)
    expect(mail.html).not.toMatch(link)
  })

  it('calls nobody by a name that whoever signed up with the address chose', () => {
    expect(verifyEmailMail(sayIn('en'), { url }).text).toMatch(/^Hello,\n/)
    expect(resetPasswordMail(sayIn('en'), { name: 'evil.example', url }).text).toMatch(/^Hello,\n/)
    expect(resetPasswordMail(sayIn('en'), { name: 'Ada', url }).text).toMatch(/^Hello Ada,\n/)
  })

  it('tells names from its own words', () => {
    const { text } = invitationMail(sayIn('en'), {
      inviter: 'Ada Lovelace',
      to: 'Node.js',
      role: 'MEMBER',
      url,
      days,
    })
    expect(text).toContain('“Ada Lovelace” invited you to join “Node. js” on Latchkey. Your role: Member.')
  })
})
