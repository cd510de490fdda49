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
export const holdsInvisible = (text: string) => new RegExp(invisible, 'u').test(withoutShaping(text))

/** Whether a text holds control or format characters where they shape no letter. */
export const holdsControls = (text: string) => /\p{C}/u.test(withoutShaping(text))

/** Puts a space in the place of everything that these two find. */
export const blankHidden = (text: string) =>
  text.replace(new RegExp(`(${shaping})|${invisible}|\\p{C}`, 'gu'), (_, shapes?: string) => shapes ?? ' ')

const withoutShaping = (text: string) => text.replace(new RegExp(shaping, 'gu'), '')

function tags(text: string): string {
  return [...text].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).join('')
}
