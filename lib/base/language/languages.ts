/** The languages of the auth pages by BCP 47 tag, each with its own name. The first is the default. */
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

/** Which way its lines run. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** Chinese is told apart by its script, which a region implies (CLDR, likely subtags). */
const traditional = /^zh-(hant|tw|hk|mo)\b/

/**
 * Finds the language that a tag asks for, by its beginning (RFC 4647 section 3.4, lookup).
 * @param tag as a browser or an app sent it: `de-AT`, `pt-BR`, `zh-CN`
 * @returns undefined for a language that is not spoken here
 */
function languageOf(tag: string): Language | undefined {
  const wanted = tag.trim().toLowerCase()
  const [primary] = wanted.split('-', 1)
  if (primary === 'zh') return traditional.test(wanted) ? undefined : 'zh-Hans'
  return allLanguages.find((language) => language === primary)
}

type Named = { id: string; name: string }

const names = new Intl.Collator('en', { numeric: true })

/** Compares two things as lists show them: by name in natural order ("Project 2" before "Project 10"), namesakes by their ids. */
export const byName = (one: Named, other: Named): number =>
  names.compare(one.name, other.name) || (one.id < other.id ? -1 : 1)

type Wishes = {
  /** What was chosen on a page before, from the cookie. */
  chosen?: string | undefined
  /** `ui_locales` of the app's request: tags, the most wanted first (OpenID Connect Core section 3.1.2.1). */
  uiLocales?: string | undefined
  /** The Accept-Language header (RFC 9110 section 12.5.4). */
  acceptLanguage?: string | null | undefined
}

/** Longer ones are no wish of a person. */
const longest = 500

/**
 * The language to speak to somebody: the one they chose here, else what the app asks for, else what the browser prefers.
 * @returns English where nothing that is wished for is spoken here. See ADR 0038.
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

/** The tags of the header, the most wanted first; those that are not wanted at all left out. */
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
