import { z } from 'zod'
import type { OAuthClient } from '@/lib/generated/prisma/client'

/** A name as DNS has it (RFC 1035 section 2.3.4): labels of letters, digits and hyphens, two at least, the last no number. */
const name = /^(?=.{4,200}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

/** A domain as a person types it. */
export const domainName = z.string().trim().toLowerCase().regex(name, 'Enter a domain such as example.com.')

type Addressed = Pick<OAuthClient, 'homepageUrl' | 'redirectUris'>

/** Whether an app is at home in a domain: its website or one of its redirect URIs is an https address there or below. */
export const isAtHomeIn = (domain: string, { homepageUrl, redirectUris }: Addressed): boolean =>
  [homepageUrl ?? '', ...redirectUris].some((address) => {
    const url = URL.parse(address)
    return url?.protocol === 'https:' && (url.hostname === domain || url.hostname.endsWith(`.${domain}`))
  })

/** A domain to be proven: one that the app is at home in. */
export const domainInput = (app: Addressed) =>
  z.object({
    domain: domainName.refine(
      (value) => isAtHomeIn(value, app),
      'Neither the website nor a redirect URI of the app is an https address in this domain.',
    ),
  })
