import { type Say, sayIn } from '@/lib/base/language/say'

const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * A User-Agent header in words a person recognises, such as "Firefox on Windows". A guess, for display alone.
 * @param say in whose language; English without it
 */
export function describeDevice(userAgent: string | null, say: Say = sayIn('en')): string {
  const named = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = named(browsers)
  const system = named(systems)
  if (browser && system) return say('signin.device', { browser, system })
  return browser ?? system ?? say('signin.unknownDevice')
}
