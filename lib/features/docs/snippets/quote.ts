/**
 * Values inside code that people paste and run. An admin chooses an app's redirect URIs, whose query may hold quotes,
 * backslashes, backticks and `$`; whoever runs the snippet must get that text and never a program of the admin's.
 */

/** A JavaScript string literal in single quotes. @returns the literal, which evaluates to exactly this text */
export const jsString = (text: string): string =>
  `'${text.replace(/[^\x20-\x7e]|['\\]/g, (character) =>
    /['\\]/.test(character)
      ? `\\${character}`
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}'`

/** One word of a POSIX shell command in single quotes, inside which nothing is special but the quote itself. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
