/**
 * Inter for pages rendered without Next. Only Next knows the file names of the fonts that it bundles.
 * `npm run build` copies the file to public/ (scripts/launch/build.ts).
 */
export const fontAddress = '/inter.woff2'

/**
 * The CSS rule that loads Inter. Name a system font after the family `Inter`: browsers use it until the file arrives, if it never
 * does, and for scripts other than Latin.
 */
export const fontFace = `@font-face{font-family:Inter;src:url(${fontAddress}) format("woff2");font-weight:100 900;font-display:swap}`

/** The directive that a Content-Security-Policy needs for `fontFace`. */
export const fontPolicy = "font-src 'self'"
