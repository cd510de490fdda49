import { escapeHtml } from '@/lib/base/http/answers'
import { cleanName } from './clean-name'
import { splitLetters } from './text-width'

/** What stands for the service in a small square. */
export type Mark = {
  serviceName: string
  /** The operator's accent colour, and the ink that can be read on it. */
  accent: string
  accentText: string
  /** The operator's own logo. An image may load nothing, so only a `data:` address can be drawn. */
  logoUrl?: string | undefined
}

const side = 24

const isDrawable = (url: string) => /^data:image\/(png|jpeg|webp|svg\+xml)[;,]/i.test(url)

/**
 * The logo where it can be drawn, the key without one, and else the name's first letter in the same tile.
 * @param at where its upper left corner lies, from the left and from above
 * @returns SVG elements 24 wide and high; everything from the settings is escaped
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

/** The mark alone, for a browser's tab and for pages without styles of the product. */
export const drawIcon = (mark: Mark): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" aria-hidden="true">
${drawMark(mark, 0)}
</svg>
`
