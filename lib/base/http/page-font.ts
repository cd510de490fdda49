/**
 * The path of the Inter font for pages rendered without Next. These pages cannot use the fonts that Next
 * bundles, because Next does not expose their file names. `npm run build` copies the file to public/
 * (scripts/launch/build.ts).
 */
export const fontAddress = '/inter.woff2'

/**
 * The CSS rule that loads Inter. In `font-family`, list a system font after `Inter`. Browsers use the system
 * font until the file arrives, if the file fails to load, and for scripts other than Latin.
 */
export const fontFace = `@font-face{font-family:Inter;src:url(${fontAddress}) format("woff2");font-weight:100 900;font-display:swap}`

/** The directive that a Content-Security-Policy needs for `fontFace`. */
export const fontPolicy = "font-src 'self'"
