import { z } from 'zod'
import { domainName } from '@/lib/base/mail/email-address'
import type { OAuthClient } from '@/lib/generated/prisma/client'

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
