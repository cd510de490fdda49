import { expect, it } from 'vitest'
import { allLanguages, directionOf } from '@/lib/base/language/languages'
import { sayIn } from '@/lib/base/language/say'
import { resetPasswordMail } from '@/lib/features/identity/password-reset/reset-password-mail'

it('carries name and link in text and html alike', () => {
  const url = 'https://login.example.com/reset-password?token=abc&x=1'
  const mail = resetPasswordMail(sayIn('en'), { name: 'Ada', url })
  expect(mail.text).toContain('Hello Ada,')
  expect(mail.text).toContain(url)
  expect(mail.html).toContain('href="https://login.example.com/reset-password?token=abc&amp;x=1"')
  expect(mail.subject).toContain('Latchkey')
})

it('lets no name become markup', () => {
  const mail = resetPasswordMail(sayIn('en'), {
    name: '<img src=x onerror="alert(1)">',
    url: 'https://x.example/"onload="',
  })
  expect(mail.html).not.toContain('<img')
  expect(mail.html).not.toContain('"onload')
})

it.each(allLanguages)('speaks %s throughout, and no line of it runs the wrong way', (language) => {
  const url = 'https://login.example.com/reset-password?token=abc'
  const { subject, text, html } = resetPasswordMail(sayIn(language), { name: 'Ada', url })
  expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
  // An address runs from the left in every language.
  expect(html).toMatch(new RegExp(`dir="ltr">${url.replace('?', '\\?')}`))
  const english = resetPasswordMail(sayIn('en'), { name: 'Ada', url })
  if (language === 'en') return
  expect(subject).not.toBe(english.subject)
  const said = new Set(text.split('\n'))
  // What stays is empty lines, the address, and how the service signs.
  expect(english.text.split('\n').filter((line) => said.has(line))).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/\w \w/)]),
  )
})
