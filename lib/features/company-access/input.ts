import { z } from 'zod'
import { oneOf } from '@/lib/base/errors/input'
import { domainName } from '@/lib/base/mail/email-address'
import { allScopes, resourceOf } from '@/lib/policy/scopes'

/** An issuer identifier (RFC 8414 section 2): https, and neither query nor fragment. */
function isIssuer(value: string): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'https:' && !url.username && !url.search && !url.hash
}

/** The identity provider of a company; without `clientSecret` the one that is known stays. Nobody becomes an admin by signing in. */
export const providerInput = z.object({
  issuer: z
    .string()
    .trim()
    .max(300)
    .refine(isIssuer, 'Enter the https address that the provider calls its issuer.'),
  clientId: z.string().trim().min(1, 'Enter the client id that the provider gave us.').max(300),
  clientSecret: z.string().trim().max(500).nullish(),
  domain: domainName,
  joinAs: z
    .union([z.literal('').transform(() => null), z.enum(['VIEWER', 'MEMBER'])], {
      error: 'Choose viewer or member: nobody becomes an admin by signing in.',
    })
    .nullish(),
  onlyDoor: z.union([z.boolean(), z.literal('on').transform(() => true)]).nullish(),
})

/** What an app may do by the provider's word: in the one workspace, so nothing about the person. */
export const managedScopes = allScopes.filter((scope) => resourceOf(scope) === 'workspace')

/** A list of them, or text with one a line. */
export const managedAppInput = z.object({
  clientId: z.string().trim().min(1, 'Enter a client id.').max(500),
  scopes: z
    .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
    .transform((list) => [...new Set(list.filter(Boolean))])
    .pipe(
      z
        .array(z.enum(managedScopes as [string, ...string[]], oneOf(managedScopes)))
        .min(1, 'Choose at least one thing that it may do.'),
    ),
})
