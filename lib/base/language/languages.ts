/**
 * The languages of the auth pages and emails by BCP 47 tag, each with its native name. English is the
 * default.
 */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ja: '日本語',
  'zh-Hans': '简体中文',
  ar: 'العربية',
} as const

export type Language = keyof typeof languages

export const allLanguages = Object.keys(languages) as Language[]

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(languages, value)

/** Returns the text direction of a language. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/**
 * Matches language tags that mean Traditional Chinese. Chinese variants differ by script, and a region
 * implies a script (CLDR, likely subtags).
 */
const traditional = /^zh-(hant|tw|hk|mo)\b/

/**
 * Returns the language for a tag, based on the tag's first part (RFC 4647 section 3.4, lookup).
 * @param tag a tag from a browser or an app, such as `de-AT`, `pt-BR`, or `zh-CN`
 * @returns undefined for an unsupported language, including Traditional Chinese
 */
function languageOf(tag: string): Language | undefined {
  const wanted = tag.trim().toLowerCase()
  const [primary] = wanted.split('-', 1)
  if (primary === 'zh') return traditional.test(wanted) ? undefined : 'zh-Hans'
  return allLanguages.find((language) => language === primary)
}

type Named = { id: string; name: string }

const names = new Intl.Collator('en', { numeric: true })

/** Compares two items by name in natural order ("Project 2" before "Project 10"), then by ID. */
export const byName = (one: Named, other: Named): number =>
  names.compare(one.name, other.name) || (one.id < other.id ? -1 : 1)

type Wishes = {
  /** The language that the user chose on a page, from the cookie. */
  chosen?: string | undefined
  /**
   * The `ui_locales` of the app's request: tags in order of preference (OpenID Connect Core section 3.1.2.1).
   */
  uiLocales?: string | undefined
  /** The Accept-Language header (RFC 9110 section 12.5.4). */
  acceptLanguage?: string | null | undefined
}

/**
 * The maximum number of characters of a value that are parsed. The rest is ignored. Real browsers and apps do
 * not send longer values.
 */
const longest = 500

/**
 * Returns the language for a user: the language that the user chose, or else the first supported language
 * that the app requests, or else the supported language that the browser prefers.
 * @returns English if none of these languages is supported. See ADR 0030.
 */
export function chooseLanguage({ chosen, uiLocales, acceptLanguage }: Wishes): Language {
  if (isLanguage(chosen)) return chosen
  return firstSpoken(tagsOf(uiLocales)) ?? firstSpoken(byPreference(acceptLanguage)) ?? 'en'
}

const tagsOf = (list = '') => list.slice(0, longest).split(' ').filter(Boolean)

function firstSpoken(tags: string[]): Language | undefined {
  for (const tag of tags) {
    const language = languageOf(tag)
    if (language) return language
  }
  return undefined
}

/** Returns the header's tags in order of preference, without tags whose weight is zero or invalid. */
function byPreference(header: string | null | undefined): string[] {
  return (header ?? '')
    .slice(0, longest)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
