/** Where everything a person reads comes from the catalogues (lib/base/language/messages). */
export const SPOKEN = [
  /^app\/(door|\(auth\)|interaction|device|language|invitations|second-factor)\//,
  /^components\/(auth|consent|device|interaction)\//,
  /^components\/two-factor\/(?!recovery-codes-section)/,
  /^components\/(account\/method-row|ui\/(copy-button|use-say))\.tsx$/,
  /^components\/invitations\/(accept-form|dead-invitation)\.tsx$/,
  /^components\/frame\/(door-frame|app-pair|no-operator)\.tsx$/,
  /^app\/(not-found|error|global-error)\.tsx$/,
  /^lib\/base\/http\/(take-form|same-origin|message-page)\.ts$/,
  /^lib\/edges\/oauth\/(pages|sign-out)\//,
  /^lib\/features\/.*-mail\.ts$/,
  /^lib\/features\/notifications\/(announce-event|ask-notice|notice-words|notify|offer-notices|warn-of-expiry)\.ts$/,
  /^lib\/features\/audit-streams\/stop-stream\.ts$/,
]

/** What the forms at the door begin with, and where the domain refuses them: each sentence is shown on their page. */
export const FORMS = [
  'app/door/door-forms.ts',
  'app/invitations/[token]/actions.ts',
  'app/second-factor/actions.ts',
]
export const REFUSES =
  /^lib\/(edges\/web\/(sign-in|forms)|features\/(identity|workspaces\/invitations)|base\/(errors|http|credentials|db))\//

/** Sentences from there that no form at the door is told. */
export const ELSEWHERE = [
  // Forms of the console, and of the API.
  'Choose one of the values on offer.',
  'Enter an https address, or leave it empty.',
  'Set up an authenticator app or a passkey first.',
  'Leave out check marks: what is verified is marked as that beside its name.',
  'Too many mails were asked for. Look for those already sent, or try again in an hour.',
  'Your email address is confirmed already.',
  'This is your email address already.',
  'This email already has an account.',
  // Answers to programs and scripts.
  'Not valid.',
  'Not from here.',
  // Told by a code in the address.
  'The provider did not confirm an email address of yours.',
  'This email already has an account. Sign in with its password, or set a new one by mail.',
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
