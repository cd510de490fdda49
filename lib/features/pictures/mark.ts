import { escapeHtml } from '@/lib/base/http/answers'

/** The values that determine the square symbol of the service. */
export type Mark = {
  serviceName: string
  /** The accent color of the instance. */
  accent: string
  /** A text color that is readable on the accent color. */
  accentText: string
  /**
   * The URL of the instance's logo. Undefined if no logo is set. An SVG image cannot load other files, so the
   * logo is drawn only if this is the `data:` URL of a PNG, JPEG, WebP, or SVG image.
   */
  logoUrl?: string | undefined
}

const side = 24

const isDrawable = (url: string) => /^data:image\/(png|jpeg|webp|svg\+xml)[;,]/i.test(url)

/**
 * Draws the logo if it can be embedded. Draws the default key symbol if no logo is set, or the first letter
 * of the service name if the logo cannot be embedded.
 * @param at the distance of the upper left corner from the left edge and from the top edge
 * @returns SVG elements that are 24 units wide and high; values from settings are escaped
 */
export function drawMark({ serviceName, accent, accentText, logoUrl }: Mark, at: number): string {
  if (logoUrl && isDrawable(logoUrl)) {
    return `<image x="${at}" y="${at}" width="${side}" height="${side}" href="${escapeHtml(logoUrl)}"/>`
  }
  const tile = `<rect x="${at}" y="${at}" width="${side}" height="${side}" rx="6" fill="${escapeHtml(accent)}"/>`
  if (logoUrl) {
    const letter = splitLetters(cleanName(serviceName))[0] ?? ''
    return `${tile}
<text x="${at + side / 2}" y="${at + 17.5}" text-anchor="middle" font-family="Helvetica, Arial, sans-serif" font-weight="700" font-size="15" fill="${escapeHtml(accentText)}">${escapeHtml(letter)}</text>`
  }
  return `${tile}
<g transform="translate(${at} ${at})" fill="none" stroke="${escapeHtml(accentText)}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><circle cx="9" cy="12" r="2.75"/><path d="M11.75 12H18m-2.25 0v2.5"/></g>`
}

/**
 * Returns the symbol as an SVG document. It is used for /brand/icon.svg, and in the header of the pages that
 * lib/edges/oauth/pages/html-page.ts renders.
 */
export const drawIcon = (mark: Mark): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" aria-hidden="true">
${drawMark(mark, 0)}
</svg>
`

/**
 * Returns a name in the form in which images show it. Trims the name, and replaces each run of whitespace
 * with one space. Removes control characters, unpaired surrogates, U+FFFE, and U+FFFF, because XML forbids
 * most of them. Also removes the characters that change the direction of the surrounding text.
 */
export const cleanName = (name: string): string =>
  name
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu, '')
    .trim()

/**
 * Character widths of Helvetica Bold from its published metrics, in thousandths of the font size. The bold
 * styles of Arial and Liberation Sans have the same widths.
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

/**
 * Splits text into user-perceived characters. A letter with its accents counts as one character. The same
 * applies to several emoji that are joined.
 */
export const splitLetters = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment)

/**
 * Measures the width of a line of text in bold Helvetica or Arial, without access to the font. An accented
 * letter counts as its base letter.
 * @returns `width` in thousandths of the font size, and `exact`, which is false if the text contains
 * characters that are not listed above. The font that draws these characters is unknown, so `width` is then
 * an upper estimate.
 */
export function measureText(text: string): { width: number; exact: boolean } {
  let measured = 0
  let guessed = 0
  for (const letter of splitLetters(text)) {
    const width = known.get([...letter.normalize('NFD')][0] as string)
    if (width === undefined) guessed += generousWidth(letter)
    else measured += width
  }
  // If the font is unknown, add 20% to the widths of the listed characters. Verdana and DejaVu, the widest
  // common system fonts, require this width.
  return guessed === 0
    ? { width: measured, exact: true }
    : { width: Math.ceil(measured * 1.2) + guessed, exact: false }
}

/**
 * Returns an upper estimate for the width of a letter that is not listed above, in thousandths of the font
 * size. In scripts such as Devanagari, a letter can consist of several characters. The estimate then includes
 * each of them, except nonspacing marks and format characters.
 */
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
