import { expect, it } from 'vitest'
import { resetPasswordMail } from '@/lib/features/identity/password-reset/reset-password-mail'

it('carries name and link in text and html alike', () => {
  const url = 'https://login.example.com/reset-password?token=abc&x=1'
  const mail = resetPasswordMail({ name: 'Ada', url })
  expect(mail.text).toContain('Hello Ada,')
  expect(mail.text).toContain(url)
  expect(mail.html).toContain('href="https://login.example.com/reset-password?token=abc&amp;x=1"')
  expect(mail.subject).toContain('Latchkey')
})

it('lets no name become markup', () => {
  const mail = resetPasswordMail({
    name: '<img src=x onerror="alert(1)">',
    url: 'https://x.example/"onload="',
  })
  expect(mail.html).not.toContain('<img')
  expect(mail.html).not.toContain('"onload')
})
