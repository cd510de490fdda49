import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { FailureWordsProvider } from '@/components/frame/page-error'
import { accentStyle } from '@/components/ui/accent'
import { dark, light } from '@/components/ui/tokens'
import { chosenTheme } from '@/lib/edges/web/console/preferences'
import { sayToVisitor } from './auth-pages/under-next'
import { readBrand, titleOf } from './brand'
import { failureWords } from './failure-words'
import './globals.css'

// Preloads the font's file for the Latin script. globals.css declares the files for other scripts and the
// fallback font.
const inter = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-inter',
  display: 'swap',
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD',
    },
  ],
})

export async function generateMetadata(): Promise<Metadata> {
  await connection()
  const { serviceName, logoUrl } = readBrand()
  return {
    icons: logoUrl ?? '/brand/icon.svg',
    title: { default: serviceName, template: titleOf('%s', serviceName) },
    referrer: 'strict-origin-when-cross-origin',
  }
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: light.background },
    { media: '(prefers-color-scheme: dark)', color: dark.background },
  ],
}

/**
 * The root layout. It is rendered for each request. Therefore, one build works with any instance's branding,
 * and each page has its own CSP nonce.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  await connection()
  const { accentColor, serviceName } = readBrand()
  const words = failureWords(await sayToVisitor(), serviceName)
  return (
    <html
      lang="en"
      data-theme={await chosenTheme()}
      className={inter.variable}
      style={accentStyle(accentColor)}
    >
      <body className="font-sans antialiased">
        <FailureWordsProvider words={words}>{children}</FailureWordsProvider>
      </body>
    </html>
  )
}
