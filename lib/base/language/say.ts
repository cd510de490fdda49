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
 * Form messages that the console and the auth pages share. In separate files, because the browser loads them.
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

/** All catalogs have the same messages with the same arguments, which messages.test.ts checks. */
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

/** Messages without arguments. Only their keys can be computed. */
export type PlainMessageKey = Exclude<MessageKey, keyof MessageArguments>

type Value = string | number | Date
/** The arguments of a message; for a union of messages, the arguments of all. */
export type ArgumentsOf<Key> = Key extends keyof MessageArguments ? MessageArguments[Key] : never
/** Values are required as soon as one of the messages has arguments. */
type ValuesFor<Key> = [Key] extends [PlainMessageKey] ? [] : [values: Record<ArgumentsOf<Key>, Value>]
/** Renders the part of a message between `<link>` and `</link>`. */
type Wrap<Part> = (inside: string) => Part

/** Translates messages into one language. */
export type Say = {
  <Key extends MessageKey>(key: Key, ...values: ValuesFor<Key>): string
  language: Language
  direction: 'ltr' | 'rtl'
  /** Returns a message with marked parts, in pieces. @param values contains a function for each mark */
  parts: <Part, Key extends MessageKey>(
    key: Key,
    values: Record<ArgumentsOf<Key>, unknown> & Record<string, Value | Wrap<Part>>,
  ) => (string | Part)[]
  /**
   * Translates an English message of the domain if the catalogs contain it; otherwise returns it unchanged.
   */
  known: (sentence: string) => string
}

/**
 * Returns the translator of a language, created once per process and with its parsed messages cached. See ADR
 * 0030.
 * @returns a function of a message's key and arguments (ICU MessageFormat)
 */
export function sayIn(language: Language): Say {
  const made = speakers.get(language) ?? makeSay(language)
  speakers.set(language, made)
  return made
}

/**
 * Returns the translator for a user. @param language the stored one; English if there is none or it is not
 * supported
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
    // A mark receives its content in pieces, which are text here.
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

/** The keys of English messages that `lib/features` returns and an auth page translates. */
const knownKeys = new Map(
  (Object.entries(en) as [MessageKey, string][])
    .filter(([key]) => key.startsWith('known.'))
    .map(([key, sentence]) => [sentence, key]),
)

/** Some messages consist of two sentences, the reason and the remedy. */
function translateKnown(catalog: Catalog, text: string): string {
  const whole = knownKeys.get(text)
  if (whole) return catalog[whole]
  const keys = text.split(/(?<=\.) /).map((sentence) => knownKeys.get(sentence))
  if (keys.includes(undefined)) return text
  return (keys as MessageKey[]).map((key) => catalog[key]).join(' ')
}
