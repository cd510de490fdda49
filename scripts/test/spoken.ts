/** Where everything a person reads comes from the catalogues (lib/base/language/messages). */
export const SPOKEN = [
  /^app\/(door|\(auth\)|interaction|device|language|invitations)\//,
  /^components\/(auth|consent|device|interaction)\//,
  /^components\/invitations\/(accept-form|dead-invitation)\.tsx$/,
  /^components\/frame\/(door-frame|app-pair|no-operator)\.tsx$/,
  /^app\/not-found\.tsx$/,
  /^lib\/base\/http\/(take-form|same-origin|message-page)\.ts$/,
  /^lib\/edges\/oauth\/(pages|sign-out)\//,
  /^lib\/features\/.*-mail\.ts$/,
  /^lib\/features\/notifications\/(announce-event|ask-notice|notice-words|notify|offer-notices|warn-of-expiry)\.ts$/,
  /^lib\/features\/audit-streams\/stop-stream\.ts$/,
]

const jsxText = /(?<=[\w"'}/)]>)\s*([^<>{}();=]*\p{L}{2,}[^<>{}();=]*?)\s*(?=<\/|<\w|\{)/gu
const attribute =
  /\b(?:label|title|placeholder|hint|alt|aria-label|aria-description)="([^"]*\p{L}{2,}[^"]*)"/gu
/** A sentence or a title: it begins with a capital letter and has a second word. */
const literal = /(['`])(\p{Lu}[^'`\n]*?\p{Ll}[^'`\n]* [^'`\n]+?)\1/gu

/**
 * Finds what a source says to people in its own words.
 * @param file markup is looked for in `.tsx` alone
 * @returns the sentences
 */
export function ownSentences(source: string, file = 'x.tsx'): string[] {
  const code = source
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^import .*$/gm, '')
    .replace(/new Error\([^)]*\)/g, '')
  return (
    [
      ...(file.endsWith('x') ? [...code.matchAll(jsxText)].map(([, text]) => text as string) : []),
      ...[...code.matchAll(attribute)].map(([, text]) => text as string),
      ...[...code.matchAll(literal)].map(([, , text]) => text as string),
    ]
      .map((text) => text.trim().replace(/\s+/g, ' '))
      // An example of a code.
      .filter((text) => /\p{Ll}/u.test(text))
  )
}
