import { IntlMessageFormat } from 'intl-messageformat'
import { directionOf, isLanguage, type Language } from './languages'
import type { MessageArguments } from './message-arguments'
import ar from './messages/ar.json' with { type: 'json' }
import de from './messages/de.json' with { type: 'json' }
import en from './messages/en.json' with { type: 'json' }
import es from './messages/es.json' with { type: 'json' }
import fr from './messages/fr.json' with { type: 'json' }
import ja from './messages/ja.json' with { type: 'json' }
import pt from './messages/pt.json' with { type: 'json' }
import sharedAr from './messages/shared/ar.json' with { type: 'json' }
import sharedDe from './messages/shared/de.json' with { type: 'json' }
import sharedEn from './messages/shared/en.json' with { type: 'json' }
import sharedEs from './messages/shared/es.json' with { type: 'json' }
import sharedFr from './messages/shared/fr.json' with { type: 'json' }
import sharedJa from './messages/shared/ja.json' with { type: 'json' }
import sharedPt from './messages/shared/pt.json' with { type: 'json' }
import sharedZh from './messages/shared/zh-Hans.json' with { type: 'json' }
import zh from './messages/zh-Hans.json' with { type: 'json' }

/** The key of a message in the catalogs. */
export type MessageKey = keyof typeof en | keyof typeof sharedEn
type Catalog = Readonly<Record<MessageKey, string>>

/**
 * Form messages that the console and the auth pages share. They are in separate files, because the browser
 * loads these messages but not the others.
 */
export const sharedMessages: Readonly<Record<Language, Readonly<Record<keyof typeof sharedEn, string>>>> = {
  en: sharedEn,
  de: sharedDe,
  es: sharedEs,
  fr: sharedFr,
  pt: sharedPt,
  ja: sharedJa,
  'zh-Hans': sharedZh,
  ar: sharedAr,
}

/**
 * The message catalogs. messages.test.ts checks that all of them have the same messages with the same
 * arguments.
 */
export const catalogs: Readonly<Record<Language, Catalog>> = {
  en: { ...en, ...sharedEn },
  de: { ...de, ...sharedDe },
  es: { ...es, ...sharedEs },
  fr: { ...fr, ...sharedFr },
  pt: { ...pt, ...sharedPt },
  ja: { ...ja, ...sharedJa },
  'zh-Hans': { ...zh, ...sharedZh },
  ar: { ...ar, ...sharedAr },
}

/**
 * The key of a message without arguments. Code can compute only such keys, because TypeScript cannot check
 * the arguments of a message that is not known before runtime.
 */
export type PlainMessageKey = Exclude<MessageKey, keyof MessageArguments>

type Value = string | number | Date
/**
 * The names of a message's arguments and marks. For a union of messages, this type includes the names for all
 * of them.
 */
export type ArgumentsOf<Key> = Key extends keyof MessageArguments ? MessageArguments[Key] : never
/**
 * The values to pass for a message. They are required if at least one of the possible messages has arguments.
 */
type ValuesFor<Key> = [Key] extends [PlainMessageKey] ? [] : [values: Record<ArgumentsOf<Key>, Value>]
/** A function that renders a marked part of a message, such as the part between `<link>` and `</link>`. */
type Wrap<Part> = (inside: string) => Part

/** A translator into one language. */
export type Say = {
  <Key extends MessageKey>(key: Key, ...values: ValuesFor<Key>): string
  language: Language
  direction: 'ltr' | 'rtl'
  /**
   * Returns the texts and the rendered marked parts of a message, in order.
   * @param values the arguments, and a function for each mark
   */
  parts: <Part, Key extends MessageKey>(
    key: Key,
    values: Record<ArgumentsOf<Key>, unknown> & Record<string, Value | Wrap<Part>>,
  ) => (string | Part)[]
  /**
   * Translates an English message from domain code if the catalogs contain it. Otherwise, returns it
   * unchanged.
   */
  known: (sentence: string) => string
}

/**
 * Returns the translator for a language. A translator is created once per process and caches its parsed
 * messages. See ADR 0030.
 * @returns a function that takes a message's key and arguments (ICU MessageFormat)
 */
export function sayIn(language: Language): Say {
  const made = speakers.get(language) ?? makeSay(language)
  speakers.set(language, made)
  return made
}

/**
 * Returns the translator for a user.
 * @param language the user's stored language; English is used if it is missing or not supported
 */
export const translatorForUser = (language: string | null | undefined): Say =>
  sayIn(isLanguage(language) ? language : 'en')

const speakers = new Map<Language, Say>()

function makeSay(language: Language): Say {
  const catalog = catalogs[language]
  const parsed = new Map<MessageKey, IntlMessageFormat>()
  const parse = (key: MessageKey) => {
    const message =
      parsed.get(key) ?? new IntlMessageFormat(catalog[key], language, undefined, { ignoreTag: false })
    parsed.set(key, message)
    return message
  }
  const say = (key: MessageKey, values?: Record<string, Value>): string =>
    values === undefined ? catalog[key] : String(parse(key).format(values))
  const parts = <Part>(key: MessageKey, values: Record<string, Value | Wrap<Part>>) => {
    // The formatter passes the content of a mark in pieces. All pieces are text, so join them.
    const given = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? (inside: unknown[]) => value(inside.join('')) : value,
    ])
    return [parse(key).format(Object.fromEntries(given))].flat() as (string | Part)[]
  }
  return Object.assign(say as Say, {
    language,
    direction: directionOf(language),
    parts,
    known: (sentence: string) => translateKnown(catalog, sentence),
  })
}

/** The keys of the English messages that `lib/features` returns and auth pages translate, by message. */
const knownKeys = new Map(
  (Object.entries(en) as [MessageKey, string][])
    .filter(([key]) => key.startsWith('known.'))
    .map(([key, sentence]) => [sentence, key]),
)

/**
 * Translates an English message, or returns it unchanged if the catalog does not contain it. Some messages
 * consist of two sentences, the reason and the fix, which are translated separately.
 */
function translateKnown(catalog: Catalog, text: string): string {
  const whole = knownKeys.get(text)
  if (whole) return catalog[whole]
  const keys = text.split(/(?<=\.) /).map((sentence) => knownKeys.get(sentence))
  if (keys.includes(undefined)) return text
  return (keys as MessageKey[]).map((key) => catalog[key]).join(' ')
}
