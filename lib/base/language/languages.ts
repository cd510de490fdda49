/** The languages of the pages at the door, by their BCP 47 tags, each by its own name. The first is spoken where nobody asks. */
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
export function languageOf(tag: string): Language | undefined {
  const wanted = tag.trim().toLowerCase()
  const [primary] = wanted.split('-', 1)
  if (primary === 'zh') return traditional.test(wanted) ? undefined : 'zh-Hans'
  return allLanguages.find((language) => language === primary)
}
