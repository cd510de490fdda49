import { type AppProfile, supportHref } from '@/lib/features/apps/app-profile'
import { TextAnchor } from '../ui/text-anchor'

/** What an app says of itself, as facts for a FactList; what it does not say is left out. */
export function profileFacts({ description, website, support, privacyUrl, termsUrl }: AppProfile) {
  const link = (label: string, href: string | null, text = href) =>
    href ? [{ label, value: <Outside href={href}>{text}</Outside> }] : []
  return [
    ...(description ? [{ label: 'Description', value: <bdi>{description}</bdi> }] : []),
    ...link('Website', website),
    ...link('Support', support && supportHref(support), support),
    ...link('Privacy policy', privacyUrl),
    ...link('Terms', termsUrl),
  ]
}

const Outside = ({ href, children }: { href: string; children: React.ReactNode }) => (
  <TextAnchor href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </TextAnchor>
)
