/**
 * The pages that users see before they reach the console. Every sentence on them must come from the catalogs.
 */
export const AUTH_PAGES = [
  /^app\/(auth-pages|\(auth\)|interaction|device|language|invitations|two-factor)\//,
  /^app\/(not-found|error|global-error)\.tsx$/,
]
/**
 * Matches the loaded files that are checked and whose imports are followed. Does not match files in `lib`,
 * because their texts for users are checked separately (MESSAGE_SOURCES, REFUSES). Does not match
 * global-error-texts.ts, which must contain its own texts, because the catalogs are not available in the
 * browser.
 */
export const RENDERED = /^(app|components)\/(?!global-error-texts\.ts$)/

/**
 * Other sources of user-facing text: emails, notifications, the server's responses, and two-factor forms.
 * These files must use the catalogs (lib/base/language/messages).
 */
export const MESSAGE_SOURCES = [
  /^components\/two-factor\//,
  /^lib\/base\/http\/(body|origin)\.ts$/,
  /^lib\/edges\/oauth\/(pages\/|engine\/sign-out\.ts$)/,
  /^lib\/features\/.*-mail\.ts$/,
  /^lib\/features\/notifications\/(announce-event|notices|notify|warn-of-expiry)\.ts$/,
  /^lib\/features\/audit-streams\/stop-stream\.ts$/,
]

/** The entry files of the auth pages' forms. */
export const FORMS = [
  'app/auth-pages/forms.ts',
  'app/invitations/[token]/actions.ts',
  'app/two-factor/actions.ts',
]
/** Matches the files that reject a submission of such a form with a message that the page shows. */
export const REFUSES =
  /^lib\/(edges\/web\/(sign-in|forms)|features\/(identity|workspaces\/accept-invitation)|base\/(errors|http|credentials|db))\//

/**
 * Messages from the files that `REFUSES` matches. No form of an auth page shows these messages, so they need
 * no translation.
 */
export const ELSEWHERE = [
  // Only the console's forms and the API show the following messages.
  'Choose one of the listed values.',
  'Enter an https URL, or leave this empty.',
  'Set up an authenticator app or a passkey first.',
  'Remove check marks. Verified names have their own mark.',
  'You have requested too many emails. Check your inbox, or try again in an hour.',
  'Your email address is already confirmed.',
  'This session has already ended.',
  'That account is already connected to another user. Use a different account.',
  'This account isn’t connected. Reload and try again.',
  'The end must be after the start.',
  'The current password is incorrect.',
  // Only programs and scripts receive the following messages.
  'Not valid.',
  'This request came from another page or site. Open the form’s page and try again.',
  'Too many wrong codes. Wait 15 minutes, then try again.',
]

const jsxText = /(?<=[\w"'}/)]>|^\s*>)\s*([^<>{}();=]*\p{L}{2,}[^<>{}();=]*?)\s*(?=<\/|<\w|\{)/gmu
const attribute =
  /\b(?:(?:label|title|placeholder|hint|alt|aria-label|aria-description)="([^"]*\p{L}{2,}[^"]*)"|[\w-]+="(\p{Lu}\p{Ll}[^"]*)")/gu
/** Matches a sentence or title, which starts with a capital letter and has at least two words. */
const literal = /(['`])(\p{Lu}[^'`\n]*?\p{Ll}[^'`\n]* [^'`\n]+?)\1/gu
/** Matches a template literal that starts with a value, followed by words. */
const counted = /`(\$\{[^`}]*\} \p{Ll}+ [^`\n]*)`/gu

/**
 * Finds user-facing text that is not in the catalogs.
 * @param file only `.tsx` files are searched for markup
 * @returns the texts
 */
export function hardcodedTexts(source: string, file = 'x.tsx'): string[] {
  const code = source
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^import .*$/gm, '')
    .replace(/new Error\([^)]*\)/g, '')
  const markup = file.endsWith('x') ? [jsxText, attribute, counted] : [attribute]
  return (
    [
      ...markup.flatMap((form) => [...code.matchAll(form)]).map(([, text, other]) => text ?? other ?? ''),
      ...[...code.matchAll(literal)].map(([, , text]) => text as string),
    ]
      .map((text) => text.trim().replace(/\s+/g, ' '))
      // Skip text without lowercase letters, such as the example of a device code, which has no translation.
      // Skip text that looks like a TypeScript type, because users do not see it.
      .filter((text) => /\p{Ll}/u.test(text) && !/\w\?: | \| /.test(text))
  )
}

/**
 * Returns the text of each call of a function, including its arguments.
 * @param name the function's name
 */
export function callsOf(source: string, name: string): string[] {
  return [...source.matchAll(new RegExp(`\\b${name}\\(`, 'g'))].map(({ index, 0: opening }) => {
    let depth = 1
    let end = index + opening.length
    while (depth > 0 && end < source.length) {
      if (source[end] === '(') depth += 1
      if (source[end] === ')') depth -= 1
      end += 1
    }
    return source.slice(index, end)
  })
}
