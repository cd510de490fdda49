import unhomoglyph from 'unhomoglyph'
import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { shortText } from './input'

/**
 * Scripts in which the joiners U+200D and U+200C change the shape of letters: cursive scripts, and Indic and
 * related scripts.
 */
const joining = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Khmer', 'Myanmar', 'Balinese', 'Javanese', 'Meetei_Mayek', 'Chakma'],
]
const joined = `(?=[\\p{L}\\p{M}])[${joining.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`
const pictograph = '\\p{Extended_Pictographic}'

/** Matches invisible characters that change the visible text (Unicode UAX 31 section 2.3, UTS 37, UTS 51). */
const shaping = [
  `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
  // A joiner in older encodings of final consonants in Malayalam.
  '(?<=\\u0d4d)\\u200d(?![\\p{L}\\p{M}])',
  // Variation selectors after Mongolian letters.
  '(?<=(?=\\p{L})\\p{Script=Mongolian})[\\u180b-\\u180f]',
  // Variation selectors after Chinese characters, which are used mainly in Japanese names.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  // Emoji presentation, emoji sequences, keycaps, and the flags of England, Scotland, and Wales.
  `(?<=${pictograph})[\\ufe0e\\ufe0f]`,
  `(?<=${pictograph}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=${pictograph})`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  ...['eng', 'sct', 'wls'].map((nation) => `(?<=\\u{1f3f4})${tags(`gb${nation}`)}\\u{e007f}`),
].join('|')

/**
 * Matches invisible characters, line and paragraph separators, and the blank braille pattern, which looks
 * like a space.
 */
const invisible = '[\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\u2800]'

/**
 * Returns whether a text contains line separators or invisible characters, except those that `shaping`
 * matches.
 */
const holdsInvisible = (text: string) => new RegExp(invisible, 'u').test(withoutShaping(text))

/**
 * Returns whether a text contains characters of Unicode's category C, such as control and format characters,
 * except those that `shaping` matches.
 */
const holdsControls = (text: string) => /\p{C}/u.test(withoutShaping(text))

/** Returns the text with spaces in place of the characters that `holdsInvisible` and `holdsControls` find. */
const blankHidden = (text: string) =>
  text.replace(new RegExp(`(${shaping})|${invisible}|\\p{C}`, 'gu'), (_, shapes?: string) => shapes ?? ' ')

const withoutShaping = (text: string) => text.replace(new RegExp(shaping, 'gu'), '')

function tags(text: string): string {
  return [...text].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).join('')
}

/** Returns the runs of letters, marks, and digits in a text. */
const words = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/**
 * Returns the words of a name's visual skeletons (Unicode UTS 39 section 4): for the name as written, in
 * lowercase, and in uppercase, because the shape of a letter depends on its case.
 */
function looksOf(name: string): string[][] {
  const plain = unboxed(name).normalize('NFKD').replace(unseen, '')
  return [plain, plain.toLowerCase(), plain.toUpperCase()].map((text) => words(skeleton(text)))
}

/** Matches combining marks and invisible characters, which are not part of a skeleton. */
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Returns the skeleton of a text, in lowercase. Applies Unicode's table and then `readAs`, because the table
 * maps к only to ĸ, for example. Then applies the table again, because `readAs` can produce an m, which the
 * table maps to "rn". Removes marks, because the table splits letters such as ł into a plain letter and a
 * mark.
 */
const skeleton = (text: string) =>
  unhomoglyph(inPlainLatin(unhomoglyph(text)))
    .replace(unseen, '')
    .toLowerCase()

/** Maps symbols such as 🅐 🅰 🇦 to letters. NFKD maps Ⓐ and 🄰, but not these symbols. */
const unboxed = (text: string) =>
  text
    .replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu, (boxed) => capital(boxed, 0x50))
    .replace(/[\u{1f1e6}-\u{1f1ff}]/gu, (boxed) => capital(boxed, 0xe6))

const capital = (boxed: string, first: number) =>
  String.fromCharCode(65 + ((((boxed.codePointAt(0) as number) & 0xff) - first) % 32))

/**
 * Letters that look like a plain Latin letter although Unicode's table does not map them to that letter, such
 * as letters with strokes or hooks, turned letters, and small capitals.
 */
const readAs: Record<string, string> = {
  a: 'ⱥᴀɐᴧʌᶏꬰδƛ',
  b: 'ƃɓʙᴃᵬᶀßꞗ',
  c: 'ꞓꞔɕɔↄ',
  d: 'ðɗɖƌȡᴅᴆᵭᶁ',
  e: 'əǝɛɘɜᴇᴈᶒᶓᶔᶕɚɝⱸꬳꬴ',
  f: 'ꜰᶂꞙⅎ',
  g: 'ɢʛᶃᵷꞡ',
  h: 'ɦɥʜⱨⱶɧꜧ',
  i: 'ᴉᵻᶖ',
  j: 'ᴊʝɟ',
  k: 'ĸʞᴋⱪꝁꝃꝅᶄꞣ',
  l: 'ʟⱡɬꝉꞁᴌȴꞎᶅꬷꬸꬹ',
  m: 'ᴍʍɱᶆɯ',
  n: 'ŋƞɲɴȵᴎᶇꞑꞥπ',
  o: 'ᴓⱺɷꝋꝍω',
  p: 'þᵱᶈꝑꝓꝕƥ',
  q: 'ꝗꝙʠ',
  r: 'ʀʁᴙᴚɹɺɻɾɿᵲᵳᶉꝛꞧ',
  s: 'ƨʂȿꞩᶊᵴ',
  t: 'ʇʈȶⱦᴛᵵꞇτ',
  u: 'ʉᵾᶙμ',
  v: 'ⱱⱴᶌꝟ',
  w: 'ⱳʬ',
  x: 'ᶍꭖꭗꭙ',
  y: 'ʎỿ',
  z: 'ƶȥɀʐʑⱬᵶᶎʒ',
}

const plainLetters = new Map(
  Object.entries(readAs).flatMap(([plain, alike]) => [...alike].map((letter) => [letter, plain])),
)

const inPlainLatin = (text: string) =>
  [...text].map((letter) => plainLetters.get(letter.toLowerCase()) ?? letter).join('')

/**
 * Returns an error message for a name that contains control or invisible characters, begins with a combining
 * mark, or contains so many combining marks that they would overlap other lines. Returns undefined for every
 * other name. See ADR 0010.
 */
function unreadable(name: string): string | undefined {
  if (holdsControls(name)) return 'Remove control characters.'
  if (holdsInvisible(name)) return 'Remove line breaks and invisible characters.'
  // Reject a mark at the beginning, and more than four marks in sequence (Unicode UTS 39 section 5.4).
  if (/^\p{M}|[\p{Mn}\p{Me}]{5}/u.test(name.normalize('NFD')))
    return 'Use at most four combining marks per letter.'
  return undefined
}

/**
 * Returns why the public name of an app or a workspace is misleading: the name imitates the service, mixes
 * alphabets that look alike in one word (Unicode UTS 39 section 4), or claims to be verified.
 * @returns the message for the user, or undefined if the name is acceptable
 */
export function misleadingNameProblem(name: string): string | undefined {
  if (checkMarks.test(name)) return 'Remove check marks. Verified names have their own mark.'
  const mixed = words(name.normalize('NFKC')).find(mixesAlphabets)
  if (mixed) return `Write “${mixed}” in one alphabet. It mixes letters that look alike.`
  const { serviceName } = config()
  if (namesService(name, serviceName)) {
    return `Remove “${serviceName}”. The name looks like the service itself.`
  }
  return undefined
}

/**
 * Returns the name under which a self-registered app is shown, up to 100 characters. Check marks and hidden
 * characters are removed. If the name is then empty, unreadable, or misleading, it is replaced instead of
 * rejected, because the app's developer cannot be asked to change it. The replacement is the first acceptable
 * name of these: the name without text in parentheses, the fallback, and `unnamed`.
 * @param fallback a replacement for a name that cannot be shown, such as the app's host
 */
export function displayNameFor(name: string, fallback: string): string {
  const visible = (text: string) =>
    blankHidden(text.replace(new RegExp(`${checkMarks.source}\\ufe0f?`, 'gu'), ' '))
      .replace(/\s+/gu, ' ')
      .trim()
  // Also try the name without text in parentheses, because some clients, such as Claude Code, append the
  // server's name there.
  // The checks of a long name take too much CPU time, and its end is not shown.
  const start = name.slice(0, 500)
  const candidates = [start, start.replace(/\([^()]*\)/gu, ''), fallback].map(visible)
  const shown = candidates.find(
    (candidate) => candidate && !unreadable(candidate) && !misleadingNameProblem(candidate),
  )
  // Call `visible` again, because the cut can split an emoji that has several parts and leave a hidden
  // character at the end.
  return visible([...(shown ?? unnamed)].slice(0, 100).join(''))
}

export const unnamed = 'Unnamed app'

/** ✓ ✔ ☑ ✅ 🗸 🗹 ⍻ √ 🆗 🮱 */
const checkMarks = /[\u2713\u2714\u2611\u2705\u{1f5f8}\u{1f5f9}\u237b\u221a\u{1f197}\u{1fbb1}]/u

/** Alphabets with letters that look like letters of another alphabet. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Lisu}/u,
]

/**
 * Greek letters that are also symbols and do not look like Latin letters, as in µTorrent and ΔWorks. A word
 * that contains one of them next to Latin letters does not count as mixed.
 */
const symbol = /[μΔΩ]/u

function mixesAlphabets(word: string): boolean {
  const letters = word.replace(symbol, '')
  return alphabets.filter((alphabet) => alphabet.test(letters)).length > 1
}

function namesService(name: string, service: string): boolean {
  const services = looksOf(service).map((look) => look.join(''))
  return looksOf(name).some((look, at) => holds(look, services[at] as string))
}

/**
 * Returns whether a name contains the service's name. A service name with fewer than six characters must
 * match one or more whole words of the name, because a short name might occur by chance inside a longer word.
 */
function holds(look: string[], service: string): boolean {
  if (service.length >= 6 && look.some((word) => word.includes(service))) return true
  return look.some((_, from) => {
    let joined = ''
    for (let to = from; to < look.length && joined.length < service.length; to++) joined += look[to]
    return joined === service
  })
}

/**
 * Returns the schema for the name of a resource: one line with at most `most` characters and without
 * invisible characters. Surrounding spaces are removed, and spaces of any width become plain spaces.
 * @param missing the message for an empty name
 */
export const nameInput = (missing = 'Enter a name.', most = 80) =>
  z
    .string()
    .transform(plainSpaces)
    .pipe(shortText(most).min(1, missing))
    .superRefine((name, context) => tell(unreadable(name), context))

/**
 * Returns the schema for an app's or a workspace's public name, which must not be misleading.
 * @param current the existing name, which remains valid even if this release would not accept it as a new
 * name
 */
export const publicNameInput = (missing?: string, current?: string) =>
  nameInput(missing).superRefine((name, context) => {
    if (name !== current) tell(misleadingNameProblem(name), context)
  })

/** Replaces spaces of any width with plain spaces, and trims the name. */
const plainSpaces = (name: string) => name.replace(/\p{Zs}/gu, ' ').trim()

function tell(message: string | undefined, context: z.RefinementCtx): void {
  if (message) context.addIssue({ code: 'custom', message })
}
