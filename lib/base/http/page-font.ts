/**
 * Inter for the pages that are drawn without Next, which alone knows where its build put the fonts of all other pages.
 * `npm run build` copies the file to public/ (scripts/launch/build.ts).
 */
export const fontAddress = '/inter.woff2'

/**
 * The style rule that loads Inter. Its family is `Inter`; name a system font after it. The browser uses that one until the
 * file arrives, if it never does, and for all scripts other than Latin.
 */
export const fontFace = `@font-face{font-family:Inter;src:url(${fontAddress}) format("woff2");font-weight:100 900;font-display:swap}`

/** The directive that a Content-Security-Policy needs for `fontFace`. */
export const fontPolicy = "font-src 'self'"
