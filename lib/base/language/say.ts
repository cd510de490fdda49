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

/** The name of a message in the catalogues. */
export type MessageKey = keyof typeof en | keyof typeof sharedEn
type Catalogue = Readonly<Record<MessageKey, string>>

/** Messages of forms that the console shares with the auth pages: in separate files, because the browser loads them. */
export const sharedWords: Readonly<Record<Language, Readonly<Record<keyof typeof sharedEn, string>>>> = {
  en: sharedEn,
  de: sharedDe,
  es: sharedEs,
  fr: sharedFr,
  pt: sharedPt,
  ja: sharedJa,
  'zh-Hans': sharedZh,
  ar: sharedAr,
}

/** Every catalogue has the same messages with the same arguments; messages.test.ts holds them to that. */
export const catalogues: Readonly<Record<Language, Catalogue>> = {
  en: { ...en, ...sharedEn },
  de: { ...de, ...sharedDe },
  es: { ...es, ...sharedEs },
  fr: { ...fr, ...sharedFr },
  pt: { ...pt, ...sharedPt },
  ja: { ...ja, ...sharedJa },
  'zh-Hans': { ...zh, ...sharedZh },
  ar: { ...ar, ...sharedAr },
}

/** Messages without arguments, the only ones whose names can be computed. */
export type PlainMessageKey = Exclude<MessageKey, keyof MessageArguments>

type Value = string | number | Date
/** The arguments of a message; of one of several, those of all. */
export type ArgumentsOf<Key> = Key extends keyof MessageArguments ? MessageArguments[Key] : never
/** The values are required as soon as one of the messages has arguments. */
type ValuesFor<Key> = [Key] extends [PlainMessageKey] ? [] : [values: Record<ArgumentsOf<Key>, Value>]
/** What draws the part of a message between `<link>` and `</link>`. */
type Wrap<Part> = (inside: string) => Part

/** Says things in one language. */
export type Say = {
  <Key extends MessageKey>(key: Key, ...values: ValuesFor<Key>): string
  language: Language
  direction: 'ltr' | 'rtl'
  /** A message with marked parts, in its pieces. @param values holds a function for each mark */
  parts: <Part, Key extends MessageKey>(
    key: Key,
    values: Record<ArgumentsOf<Key>, unknown> & Record<string, Value | Wrap<Part>>,
  ) => (string | Part)[]
  /** The English sentence of a refusal or note of the domain, where the catalogues have it; else as it is. */
  known: (sentence: string) => string
}

/**
 * See ADR 0038. How to speak a language: one function a language, made once a process, as are the messages that it has parsed.
 * @returns a function of a message's name and its arguments (ICU MessageFormat)
 */
export function sayIn(language: Language): Say {
  const made = speakers.get(language) ?? makeSay(language)
  speakers.set(language, made)
  return made
}

/** How to speak to a person. @param language what is kept of them; English where nothing is, or nothing that is spoken here */
export const sayToPerson = (language: string | null | undefined): Say =>
  sayIn(isLanguage(language) ? language : 'en')

const speakers = new Map<Language, Say>()

function makeSay(language: Language): Say {
  const catalogue = catalogues[language]
  const parsed = new Map<MessageKey, IntlMessageFormat>()
  const parse = (key: MessageKey) => {
    const message =
      parsed.get(key) ?? new IntlMessageFormat(catalogue[key], language, undefined, { ignoreTag: false })
    parsed.set(key, message)
    return message
  }
  const say = (key: MessageKey, values?: Record<string, Value>): string =>
    values === undefined ? catalogue[key] : String(parse(key).format(values))
  const parts = <Part>(key: MessageKey, values: Record<string, Value | Wrap<Part>>) => {
    // A mark gets its inside in pieces, which are text here.
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
    known: (sentence: string) => translateKnown(catalogue, sentence),
  })
}

/** The keys of the English messages that `lib/features` returns and an auth page shows translated. */
const knownKeys = new Map(
  (Object.entries(en) as [MessageKey, string][])
    .filter(([key]) => key.startsWith('known.'))
    .map(([key, sentence]) => [sentence, key]),
)

/** Some refusals are two sentences, the reason and the advice. */
function translateKnown(catalogue: Catalogue, text: string): string {
  const whole = knownKeys.get(text)
  if (whole) return catalogue[whole]
  const keys = text.split(/(?<=\.) /).map((sentence) => knownKeys.get(sentence))
  if (keys.includes(undefined)) return text
  return (keys as MessageKey[]).map((key) => catalogue[key]).join(' ')
}
