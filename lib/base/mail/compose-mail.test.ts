import { describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { allLanguages, directionOf } from '@/lib/base/language/languages'
import { sayIn } from '@/lib/base/language/say'
import { verifyEmailMail } from '@/lib/features/identity/email/send-verification'
import { resetPasswordMail } from '@/lib/features/identity/users/request-password-reset'
import { noticeMail } from '@/lib/features/notifications/notify'
import { invitationMail } from '@/lib/features/workspaces/create-invitation'

it('an email greets the user by name and contains the link in text and HTML', () => {
  const url = 'https://login.example.com/reset-password?token=abc&x=1'
  const mail = resetPasswordMail(sayIn('en'), { name: 'Ada', url })
  expect(mail.text).toContain('Hello Ada,')
  expect(mail.text).toContain(url)
  expect(mail.html).toContain('href="https://login.example.com/reset-password?token=abc&amp;x=1"')
  expect(mail.subject).toContain('Latchkey')
})

it('an email never renders a name as markup', () => {
  const mail = resetPasswordMail(sayIn('en'), {
    name: '<img src=x onerror="alert(1)">',
    url: 'https://x.example/"onload="',
  })
  expect(mail.html).not.toContain('<img')
  expect(mail.html).not.toContain('"onload')
})

it.each(allLanguages)(
  'an email uses the language %s throughout, with the correct text direction',
  (language) => {
    const url = 'https://login.example.com/reset-password?token=abc'
    const { subject, text, html } = resetPasswordMail(sayIn(language), { name: 'Ada', url })
    expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
    // URLs are written from left to right in every language.
    expect(html).toMatch(new RegExp(`dir="ltr">${url.replace('?', '\\?')}`))
    const english = resetPasswordMail(sayIn('en'), { name: 'Ada', url })
    if (language === 'en') return
    expect(subject).not.toBe(english.subject)
    const said = new Set(text.split('\n'))
    // Only empty lines, the URL, and the signature are the same as in English.
    expect(english.text.split('\n').filter((line) => said.has(line))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/\w \w/)]),
    )
  },
)

it('an email contains the instance’s footer, and only a confirmation email also contains its welcome text', () => {
  setChangedSettings({
    mailWelcome: 'Nice to have you <here>.',
    mailFooter: 'Acme Inc.\n1 Main Street',
    accentColor: '#ffe600',
  })
  const url = 'https://login.example.com/verify-email?token=abc'
  const first = verifyEmailMail(sayIn('de'), { url })
  const later = resetPasswordMail(sayIn('de'), { name: 'Ada', url })
  setChangedSettings({})
  expect(first.text).toContain('Nice to have you <here>.')
  expect(first.html).toContain('Nice to have you &lt;here&gt;.')
  expect(later.text).not.toContain('Nice to have you')
  for (const mail of [first, later]) {
    expect(mail.text).toMatch(/\nAcme Inc\.\n1 Main Street\n$/)
    expect(mail.html).toContain('Acme Inc.<br>1 Main Street')
    // Text on a yellow button is black.
    expect(mail.html).toContain('background:#ffe600;color:#000000')
  }
})

const lure = 'URGENT: your account is locked, see https://evil.example/unlock'
const url = 'https://login.example.com/invitations/abc'
const days = 7

/** Matches text that an email program would turn into a link. */
const link = /evil\.example|:\/\/evil/

describe('an email with text from a third party', () => {
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
    ['the user who signed up with the address', resetPasswordMail(sayIn('en'), { name: lure, url })],
  ])('omits the text of %s from its subject and does not turn it into a link', (_who, mail) => {
    expect(mail.subject).not.toContain('URGENT')
    expect(mail.text).not.toMatch(link)
    expect(mail.html).not.toMatch(link)
  })

  it('does not greet the user by name if it is a confirmation email or the name looks like a host', () => {
    expect(verifyEmailMail(sayIn('en'), { url }).text).toMatch(/^Hello,\n/)
    expect(resetPasswordMail(sayIn('en'), { name: 'evil.example', url }).text).toMatch(/^Hello,\n/)
    expect(resetPasswordMail(sayIn('en'), { name: 'Ada', url }).text).toMatch(/^Hello Ada,\n/)
  })

  it('contains names in quotation marks, and never as links', () => {
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
