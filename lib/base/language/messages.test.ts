import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { scopeTable } from '@/lib/policy/scopes'
import { allLanguages } from './languages'
import { catalogs, type MessageKey, type PlainMessageKey, sayIn } from './say'

type Piece = {
  value?: string
  type: number
  options?: Record<string, { value: Piece[] }>
  children?: Piece[]
}

/**
 * Returns a message's arguments and marks with their kinds, without duplicates.
 * @throws SyntaxError if the text is not a valid ICU message
 */
function argumentsOf(message: string, language: string): string[] {
  const walk = (pieces: Piece[]): string[] =>
    pieces.flatMap(({ type, value, options, children }) => [
      // Skip literal text and `#`, which are not arguments.
      ...(type === 0 || type === 7 ? [] : [`${type} ${value}`]),
      ...Object.values(options ?? {}).flatMap((option) => walk(option.value)),
      ...walk(children ?? []),
    ])
  return [...new Set(walk(new IntlMessageFormat(message, language).getAst() as Piece[]))].sort()
}

const english = Object.entries(catalogs.en) as [MessageKey, string][]

describe.each(allLanguages)('the catalog %s', (language) => {
  const catalog = catalogs[language]

  it('has the same messages as the English catalog, in the same order', () => {
    expect(Object.keys(catalog)).toEqual(Object.keys(catalogs.en))
  })

  it('has messages with the same arguments as the English catalog', () => {
    for (const [key, message] of english)
      expect(argumentsOf(catalog[key], language), key).toEqual(argumentsOf(message, 'en'))
  })

  it('has no empty messages and no apostrophes that ICU interprets as escapes', () => {
    const wrong = Object.entries(catalog).filter(([, message]) => message.includes("'") || !message.trim())
    expect(wrong).toEqual([])
  })

  it('has one placeholder for each number in the messages that count resources', () => {
    expect(catalog['reach.count'].match(/#/g)).toHaveLength(1)
    expect(catalog['reach.more'].match(/#/g)).toHaveLength(1)
  })
})

it('the translator requires the arguments of every message at compile time', async () => {
  // After a change to en.json, update message-arguments.ts with
  // `npx vitest run --project unit lib/base/language -u`.
  const lines = english.flatMap(([key, message]) => {
    const names = [...new Set(argumentsOf(message, 'en').map((each) => each.replace(/^\d+ /, '')))].sort()
    return names.length === 0 ? [] : [`  '${key}': ${names.map((name) => `'${name}'`).join(' | ')}`]
  })
  const text = `/** The arguments and marks of each message that has any. messages.test.ts generates it from en.json. */
export type MessageArguments = {
${lines.join('\n')}
}
`
  await expect(text).toMatchFileSnapshot('./message-arguments.ts')
  const say = sayIn('en')
  // @ts-expect-error The message has an argument.
  say('choose.wrong')
  // @ts-expect-error One of the two messages has an argument.
  say(Math.random() < 2 ? 'choose.wrong' : 'choose.title')
  // @ts-expect-error The argument has another name.
  expect(() => say('choose.wrong', { name: 'Acme' })).toThrow('app')
  expect(say('choose.wrong', { app: 'Acme' })).toBe('Acme expects another account')
})

it('the English catalog describes scopes in the same words as the scope table', () => {
  for (const [scope, { sentence }] of Object.entries(scopeTable))
    expect(sayIn('en')(`scope.${scope}` as PlainMessageKey)).toBe(sentence)
})

it('known translates messages with one or two sentences and returns unknown messages unchanged', () => {
  const { known } = sayIn('de')
  expect(known('The email or password is incorrect.')).toBe('E-Mail-Adresse oder Passwort stimmt nicht.')
  expect(
    known(
      'This repeats itself, which makes it easy to guess. Use several unrelated words, or let your browser suggest a password.',
    ),
  ).toMatch(/^Es wiederholt sich .* Verwenden Sie ein paar Wörter/)
  expect(known('Something new.')).toBe('Something new.')
})

it('parts splits a message into its plain and marked parts', () => {
  const parts = sayIn('fr').parts('consent.returns', { host: 'a.example', b: (text) => ({ text }) })
  expect(parts).toEqual(['Vous ramène à ', { text: 'a.example' }])
})

it('the translator never interprets a name as a mark or an argument', () => {
  const app = '<link>{service}</link>'
  expect(sayIn('en')('login.headingApp', { app })).toBe(`Sign in to continue to ${app}`)
})
