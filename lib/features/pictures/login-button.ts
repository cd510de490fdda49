import type { Config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import { cleanName, drawMark, type Mark, measureText, splitLetters } from './mark'

/** The variants of the button. Each key replaces <look> in the URL /brand/login-with-<look>.svg. */
export const buttonLooks = {
  light: { fill: '#ffffff', stroke: '#858d9b', ink: '#171a21' },
  dark: { fill: '#171a21', stroke: '#6c7585', ink: '#ffffff' },
  outline: { fill: 'none', stroke: '#565e6c', ink: '#171a21' },
  'outline-on-dark': { fill: 'none', stroke: '#9ca4b3', ink: '#ffffff' },
} as const

export type ButtonLook = keyof typeof buttonLooks

const height = 44
const typeSize = 16
const markAt = 10
const textStart = 44
const padding = 16
/** The maximum width of the service name in thousandths of the font size. It equals 20 em, or 320 px. */
const widestName = 20_000

function shorten(name: string): string {
  if (measureText(name).width <= widestName) return name
  const letters = splitLetters(name)
  while (letters.length > 1 && measureText(`${letters.join('')}…`).width > widestName) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/**
 * Returns the accessible text of the button, which contains the complete service name. It is used for the
 * `alt` attribute of the image, and for the title and label in the SVG document.
 */
export const buttonText = (serviceName: string): string => `Login with ${cleanName(serviceName)}`

/**
 * Returns the width of the button in pixels, which depends on the service name. If the name is too long, the
 * button shows only its beginning. The height is always 44 pixels.
 */
export const buttonWidth = (serviceName: string): number =>
  textStart + Math.ceil((measureText(visibleText(serviceName)).width * typeSize) / 1000) + padding

const visibleText = (serviceName: string) => `Login with ${shorten(cleanName(serviceName))}`

/**
 * Draws the button.
 * @returns an SVG document with the escaped name and without external resources or scripts
 */
export function drawLoginButton(button: Mark, look: ButtonLook): string {
  const { fill, stroke, ink } = buttonLooks[look]
  const width = buttonWidth(button.serviceName)
  const label = escapeHtml(buttonText(button.serviceName))
  const text = visibleText(button.serviceName)
  const room = width - textStart - padding
  // If the measured width is exact, set it, so that the text has this width in any font. Otherwise, only
  // center the text.
  const fit = measureText(text).exact ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<title>${label}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="${fill}" stroke="${stroke}"/>
${drawMark(button, markAt)}
<text x="${textStart + room / 2}" y="27.5" text-anchor="middle" font-family="Helvetica, Arial, 'Liberation Sans', Arimo, sans-serif" font-weight="700" font-size="${typeSize}"${fit} fill="${ink}">${escapeHtml(text)}</text>
</svg>
`
}

/**
 * Returns the HTML for app developers: a link that contains the button as an image. The HTML includes the
 * size, so the page does not shift when the image loads.
 */
export const loginButtonSnippet = (baseUrl: string, serviceName: string, look: ButtonLook): string =>
  `<a href="/login">
  <img src="${baseUrl}/brand/login-with-${look}.svg" alt="${escapeHtml(buttonText(serviceName))}"
    width="${buttonWidth(serviceName)}" height="${height}">
</a>
`

type Links = Pick<Config, 'helpUrl' | 'termsUrl' | 'privacyUrl'>

/**
 * Returns the configured links to the help, terms, and privacy pages, in this order. The sign-in, consent,
 * and device pages show them at the bottom, and the console shows them in its help menu.
 */
export const brandLinks = ({ helpUrl, termsUrl, privacyUrl }: Links): { label: string; href: string }[] =>
  [
    { label: 'Help', href: helpUrl },
    { label: 'Terms', href: termsUrl },
    { label: 'Privacy', href: privacyUrl },
  ].filter((link): link is { label: string; href: string } => link.href !== undefined)
