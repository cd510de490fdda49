import { isLanguage, type Language, languageOf } from './languages'

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
 * @returns English where nothing that is wished for is spoken here. See decision 188.
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
