/**
 * How wide letters are in bold Helvetica, and so in Arial and Liberation Sans, which share its measures: in thousandths of
 * the type size, from the face's published metrics.
 */
const measures: [width: number, letters: string][] = [
  [238, "'"],
  [278, ' ,-./\\Iijl'],
  [280, '|'],
  [333, '!()[]`:;ft'],
  [389, '*r{}'],
  [474, '"'],
  [500, 'z'],
  [556, '#$0123456789Jaceksvxy_'],
  [584, '+<=>^~'],
  [611, '?FLTZbdghnopqu'],
  [667, 'EPSVXY'],
  [722, '&ABCDHKNRU'],
  [778, 'GOQw'],
  [833, 'M'],
  [889, '%m'],
  [944, 'W'],
  [975, '@'],
  [1000, '…'],
]
const known = new Map(measures.flatMap(([width, letters]) => [...letters].map((letter) => [letter, width])))

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What a reader takes for one letter each, accents and joined emoji included. */
export const splitLetters = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment)

/**
 * Measures a line of bold Helvetica or Arial without having the face.
 * @returns `width` in thousandths of the type size; `exact` is false when letters of other scripts are among them: a face
 *   that nobody knows may then draw all of them, and the width is about the most that it takes
 */
export function measureText(text: string): { width: number; exact: boolean } {
  let measured = 0
  let guessed = 0
  for (const letter of splitLetters(text)) {
    const width = known.get([...letter.normalize('NFD')][0] as string)
    if (width === undefined) guessed += generousWidth(letter)
    else measured += width
  }
  // The widest faces of common systems, Verdana and DejaVu, take a fifth more.
  return guessed === 0
    ? { width: measured, exact: true }
    : { width: Math.ceil(measured * 1.2) + guessed, exact: false }
}

/** About the most that a letter of another script takes; it may be several characters side by side, as in Devanagari. */
function generousWidth(letter: string): number {
  if (/\p{Emoji_Presentation}|\uFE0F/u.test(letter)) return 1400
  if (/^[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(letter)) {
    if (/^[ЖМШЩЫЮФΜΩ]/u.test(letter)) return 1250
    return /^[\p{Lu}жмшщыюфω]/u.test(letter) ? 980 : 760
  }
  if (/^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]/u.test(letter)) return 800
  const beside = [...letter].filter((character) => !/\p{Mn}|\p{Cf}/u.test(character)).length
  return 1050 * Math.max(1, beside)
}
