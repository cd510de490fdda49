import type { Config } from '@/lib/base/config/env'

type Links = Pick<Config, 'HELP_URL' | 'TERMS_URL' | 'PRIVACY_URL'>

/** The links below login, consent and device cards, those the operator has set. */
export const brandLinks = ({ HELP_URL, TERMS_URL, PRIVACY_URL }: Links): { label: string; href: string }[] =>
  [
    { label: 'Help', href: HELP_URL },
    { label: 'Terms', href: TERMS_URL },
    { label: 'Privacy', href: PRIVACY_URL },
  ].filter((link): link is { label: string; href: string } => link.href !== undefined)
