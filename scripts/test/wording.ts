/**
 * Patterns of the words that lint rejects, each with a replacement. docs/develop/voice.md contains the other
 * writing rules.
 */
const rules: [words: RegExp, instead: string][] = [
  [/\b(?:who|what|which|whom)ever\b/gi, 'a noun, such as "users who" or "any"'],
  // In quotes and email addresses, these words are data and therefore allowed.
  [/\b(?:some|every|no)body\b(?![@'`]|%40)/gi, '"someone", "everyone", "no one", or the role'],
  [/\b(?:of|for|by|to|from) whom\b/gi, 'a noun, or "who"'],
  [/\b(?:is|are|was|were|be) told\b/gi, '"is notified", "receives", or "is reported"'],
  [/\b(?:hears?|heard) (?:of|from)\b/gi, '"is notified", or "receives"'],
  [/\btakes? the role\b/gi, '"requires the role"'],
  [/\bunless given\b/gi, '"Default: …"'],
  [/\banew\b/gi, '"again", or a verb with "re-"'],
  [/\bfor ever\b/gi, '"indefinitely"'],
  [/\breckon\w*/gi, '"estimate"'],
  [/\bunasked\b/gi, '"without confirmation"'],
  [/\b[eE]-mails?\b/g, '"email"'],
  [/\b(?:colour|favour|honour|behaviour)\w*/gi, 'American spelling: -or'],
  [/\b(?:normal|recogn|initial|serial|organ|author)is(?:e|es|ed|ing|ation)\b/gi, 'American spelling: -ize'],
  [/\b(?:licence|catalogue|centre|grey)s?\b/gi, 'American spelling'],
]

/**
 * Matches files that are not checked, because they quote these words, must not change, or are not English
 * prose.
 */
const exempt =
  /^(?:docs\/develop\/voice\.md|scripts\/test\/wording(?:\.test)?\.ts|CHANGELOG\.md|LICENSE|package-lock\.json|prisma\/migrations\/|lib\/base\/language\/messages\/(?!en|shared\/en))/

/**
 * Finds words that the voice guide tells authors to replace.
 * @param file path from the root of the repository
 * @returns one line for each word, with its place and the replacement
 */
export function wrongWording(file: string, source: string): string[] {
  if (exempt.test(file)) return []
  return source
    .split('\n')
    .flatMap((line, index) =>
      rules.flatMap(([words, instead]) =>
        [...line.matchAll(words)].map(([found]) => `${file}:${index + 1}: "${found}": write ${instead}`),
      ),
    )
}
