import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { allLanguages, type Language } from '@/lib/base/language/languages'
import { sayIn, sharedMessages } from '@/lib/base/language/say'
import { FactorSetup } from './factor-setup'

const never = () => Promise.reject(new Error('the form is not sent'))
const actions = {
  begin: never,
  cancel: never,
  confirm: never,
  removeTotp: never,
  options: never,
  register: never,
  rename: never,
  removePasskey: never,
}

/**
 * Returns two pages of a user with one passkey: one with an authenticator app that waits for its code, and
 * one with a confirmed authenticator app.
 */
function pagesIn(language: Language): string {
  const at = new Date('2025-06-15T12:00:00Z')
  const passkey = { id: '1', name: 'Ada’s {time} $& key', synced: true, createdAt: at, lastUsedAt: at }
  return [
    { active: true, waiting: undefined },
    { active: false, waiting: { secret: 'ABCD', qrCode: 'data:,' } },
  ]
    .map((totp) =>
      renderToStaticMarkup(
        <FactorSetup
          say={sayIn(language)}
          step="done"
          next="/"
          serviceName="Acme"
          asksPassword
          passkeys={{ possible: true, listed: [passkey] }}
          totp={totp}
          actions={actions}
        />,
      ),
    )
    .join()
}

it.each(allLanguages)(
  'the two-factor setup page uses the texts of the catalog in %s, with all placeholders filled in',
  (language) => {
    const said = pagesIn(language)
    const words = sharedMessages[language]
    for (const key of [
      'passkeys.add',
      'totp.scan',
      'totp.removeWhy',
      'shared.cancel',
      'shared.close',
    ] as const)
      expect(said).toContain(words[key])
    expect(said).toContain(words['passkeys.removeAsk'].replace('{name}', () => 'Ada’s {time} $&amp; key'))
    expect(said.replaceAll('Ada’s {time}', '')).not.toMatch(/\{\w+\}/)
  },
)

it('the two-factor setup page has a live region for the results of its actions', () => {
  expect(pagesIn('en')).toContain('aria-live="polite"')
})

it.each(allLanguages.filter((language) => language !== 'en'))(
  'in %s, the two-factor setup page contains no English text',
  (language) => {
    const said = pagesIn(language)
    const sentences = Object.values(sharedMessages.en).filter(
      (text) => text.includes(' ') && !text.includes('{'),
    )
    expect(sentences.filter((sentence) => said.includes(sentence))).toEqual([])
  },
)
