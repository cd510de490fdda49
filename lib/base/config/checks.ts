import { z } from 'zod'
import { isSource } from './is-source'

/** What the values of settings must look like; each answers what is wrong with one in words that follow its name. */

export const isOrigin = (url: URL) => url.pathname === '/' && url.search === '' && url.hash === ''

export const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((value) => value === '1' || value === 'true')

/** One of several words. */
export const oneOf = <const Words extends readonly [string, string, ...string[]]>(...words: Words) =>
  z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` })

/** Where a link leads: an http(s) address, or a path of this service; `//host` would be neither. */
export const link = z
  .string()
  .refine(
    (value) =>
      /^\/(?![/\\])[^\s\\]*$/.test(value) || (/^https?:\/\/[^/\s]/i.test(value) && URL.canParse(value)),
    { error: 'must be an http or https address, or a path such as /docs' },
  )

/** What the pages can show as the logo: their policy loads pictures from here and over https (content-security-policy.ts). */
export const picture = z
  .string()
  .refine(
    (value) =>
      /^\/(?![/\\])[^\s\\]*$/.test(value) ||
      (/^https:\/\/[^/\s]/i.test(value) && URL.canParse(value)) ||
      /^data:image\//i.test(value),
    { error: 'must be an https address, or a path such as /logo.svg' },
  )
  .refine((value) => !/^https:/i.test(value) || isSource(URL.parse(value)?.origin ?? ''), {
    error: 'must have a host of letters, digits, dots and hyphens alone',
  })

/** A whole number, with one sentence for everything that is none or out of range. */
export const whole = (least: number, most?: number) => {
  const error =
    most === undefined
      ? `must be a whole number from ${least}`
      : `must be a number between ${least} and ${most}`
  return z.coerce
    .number({ error })
    .int(error)
    .min(least, error)
    .max(most ?? Number.MAX_SAFE_INTEGER, error)
}

/** Names of hosts, separated by commas or line breaks; `*.example.com` stands for every host below that one. */
export const hosts = z
  .string()
  .transform((value) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  .refine((names) => names.every((name) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name)), {
    error: 'must be hosts such as app.example.com or *.example.com, separated by commas',
  })
