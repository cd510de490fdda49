import unhomoglyph from 'unhomoglyph'
import { z } from 'zod'
import { config } from '@/lib/base/config/env'

/** Scripts whose letters are joined, or kept apart, by the joiners U+200D and U+200C: the cursive ones and those of India's kin. */
const joining = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Mandaic', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Khmer', 'Myanmar', 'Balinese', 'Javanese', 'Meetei_Mayek', 'Chakma'],
]
const joined = `(?=[\\p{L}\\p{M}])[${joining.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`
const pictograph = '\\p{Extended_Pictographic}'

/** Where a character that nobody can see changes what is seen (Unicode UAX 31 section 2.3, UTS 37, UTS 51). */
const shaping = [
  `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
  // Malayalam's final consonants, as they were written before they had letters of their own
  '(?<=\\u0d4d)\\u200d(?![\\p{L}\\p{M}])',
  // Mongolian letters have forms to choose from
  '(?<=(?=\\p{L})\\p{Script=Mongolian})[\\u180b-\\u180f]',
  // so have Chinese characters, above all in names of people and places of Japan
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  // in colour or not; several in one; a digit on a key; the flags of England, Scotland and Wales
  `(?<=${pictograph})[\\ufe0e\\ufe0f]`,
  `(?<=${pictograph}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=${pictograph})`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  ...['eng', 'sct', 'wls'].map((nation) => `(?<=\\u{1f3f4})${tags(`gb${nation}`)}\\u{e007f}`),
].join('|')

/** Takes no room, or looks like a space; spaces themselves are one character alone. */
const invisible = '[\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\u2800]'

/** Whether a text holds line breaks, or what nobody can see where it shapes no letter. */
const holdsInvisible = (text: string) => new RegExp(invisible, 'u').test(withoutShaping(text))

/** Whether a text holds control or format characters where they shape no letter. */
const holdsControls = (text: string) => /\p{C}/u.test(withoutShaping(text))

/** Puts a space in the place of everything that these two find. */
const blankHidden = (text: string) =>
  text.replace(new RegExp(`(${shaping})|${invisible}|\\p{C}`, 'gu'), (_, shapes?: string) => shapes ?? ' ')

const withoutShaping = (text: string) => text.replace(new RegExp(shaping, 'gu'), '')

function tags(text: string): string {
  return [...text].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).join('')
}

/** The runs of letters, marks and digits in a text. */
const words = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/**
 * What a name looks like (Unicode UTS 39 section 4): each letter's look depends on its case, so there is a look for each.
 * @returns for the name as it is, in small and in capital letters: its words, in letters that stand for all that look like them
 */
function looksOf(name: string): string[][] {
  const plain = unboxed(name).normalize('NFKD').replace(unseen, '')
  return [plain, plain.toLowerCase(), plain.toUpperCase()].map((text) => words(skeleton(text)))
}

/** Marks of Latin letters do not make them other ones, and neither does what only shapes them. */
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu

/** Unicode's table takes ł apart into l and a mark, and к into ĸ, which it then leaves; m is "rn" to it, so it has the last word. */
const skeleton = (text: string) =>
  unhomoglyph(inPlainLatin(unhomoglyph(text)))
    .replace(unseen, '')
    .toLowerCase()

/** 🅐 🅰 🇦, which NFKD leaves as they are, unlike Ⓐ and 🄰. */
const unboxed = (text: string) =>
  text
    .replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu, (boxed) => capital(boxed, 0x50))
    .replace(/[\u{1f1e6}-\u{1f1ff}]/gu, (boxed) => capital(boxed, 0xe6))

const capital = (boxed: string, first: number) =>
  String.fromCharCode(65 + ((((boxed.codePointAt(0) as number) & 0xff) - first) % 32))

/** Letters that read as a plain one and that Unicode's table keeps apart: crossed, hooked, turned, small capitals. */
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

/** What is wrong with a name as text, whatever it names: parts that nobody sees, or that do not stay in their line. See ADR 0013. */
function unreadable(name: string): string | undefined {
  if (holdsControls(name)) return 'Leave out control characters.'
  if (holdsInvisible(name)) return 'Leave out line breaks and characters that nobody can see.'
  // Unicode UTS 39 section 5.4
  if (/^\p{M}|[\p{Mn}\p{Me}]{5}/u.test(name.normalize('NFD'))) return 'Put at most four marks on a letter.'
  return undefined
}

/**
 * Whether a name that strangers read, an app's or a workspace's, says what it is not: the service itself, somebody's name in
 * letters of another alphabet (Unicode UTS 39 section 4), or that it was verified.
 * @returns what to change
 */
export function pretence(name: string): string | undefined {
  if (checkMarks.test(name))
    return 'Leave out check marks: what is verified is marked as that beside its name.'
  const mixed = words(name.normalize('NFKC')).find(mixesAlphabets)
  if (mixed) return `Write “${mixed}” in one alphabet: it mixes letters that look alike.`
  const { serviceName } = config()
  if (namesService(name, serviceName)) {
    return `Leave out “${serviceName}”: people would take it for the service itself.`
  }
  return undefined
}

/**
 * The name under which an app is shown that nobody here could tell to choose another.
 * @param fallback takes the place of a name that cannot be shown
 */
export function presentableName(name: string, fallback: string): string {
  const visible = (text: string) =>
    blankHidden(text.replace(new RegExp(`${checkMarks.source}\\ufe0f?`, 'gu'), ' '))
      .replace(/\s+/gu, ' ')
      .trim()
  // Claude Code, for one, puts what it connects to in brackets behind its name.
  const candidates = [name, name.replace(/\([^()]*\)/gu, ''), fallback].map(visible)
  const shown = candidates.find((candidate) => candidate && !unreadable(candidate) && !pretence(candidate))
  // Once more, because the cut may go through an emoji of several parts.
  return visible([...(shown ?? unnamed)].slice(0, 100).join(''))
}

export const unnamed = 'Unnamed app'

/** ✓ ✔ ☑ ✅ 🗸 🗹 ⍻ √ 🆗 🮱 */
const checkMarks = /[\u2713\u2714\u2611\u2705\u{1f5f8}\u{1f5f9}\u237b\u221a\u{1f197}\u{1fbb1}]/u

/** Alphabets with letters that look like those of another one. */
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

/** Greek letters that are symbols as well and look like no Latin one: µTorrent, ΔWorks. One in a word passes for that. */
const symbol = /[μΔΩ]/u

function mixesAlphabets(word: string): boolean {
  const letters = word.replace(symbol, '')
  return alphabets.filter((alphabet) => alphabet.test(letters)).length > 1
}

function namesService(name: string, service: string): boolean {
  const services = looksOf(service).map((look) => look.join(''))
  return looksOf(name).some((look, at) => holds(look, services[at] as string))
}

/** A short name of a service may be a part of other words; a longer one hardly is. */
function holds(look: string[], service: string): boolean {
  if (service.length >= 6 && look.some((word) => word.includes(service))) return true
  return look.some((_, from) => {
    let joined = ''
    for (let to = from; to < look.length && joined.length < service.length; to++) joined += look[to]
    return joined === service
  })
}

/**
 * What people call a thing of theirs: one line, without what cannot be seen.
 * @param missing what to say when nothing was typed
 */
export const nameInput = (missing = 'Enter a name.', most = 80) =>
  z
    .string()
    .transform(plainSpaces)
    .pipe(z.string().min(1, missing).max(most, `Use at most ${most} characters.`))
    .superRefine((name, context) => tell(unreadable(name), context))

/**
 * The name of what strangers are asked to trust, an app's or a workspace's: it also pretends nothing.
 * @param current the name it has; from before there was this rule, it does not stand in the way of other changes
 */
export const publicNameInput = (missing?: string, current?: string) =>
  nameInput(missing).superRefine((name, context) => {
    if (name !== current) tell(pretence(name), context)
  })

/** Spaces of any width are spaces. */
const plainSpaces = (name: string) => name.replace(/\p{Zs}/gu, ' ').trim()

function tell(message: string | undefined, context: z.RefinementCtx): void {
  if (message) context.addIssue({ code: 'custom', message })
}
