import { Link2 } from 'lucide-react'
import type { Say } from '@/lib/base/language/say'
import { supportHref } from '@/lib/features/apps/app-profile'
import type { ConsentApp } from './types'

/** Where an app is at home, answers, and says what it does with data and on which terms. They open beside the page, which keeps what was chosen. */
export function AppLinks({ say, app }: { say: Say; app: ConsentApp }) {
  const { website, support, privacyUrl, termsUrl } = app.profile
  const links = [
    { label: say('app.website'), href: website },
    { label: say('app.support'), href: support && supportHref(support) },
    { label: say('app.privacy'), href: privacyUrl },
    { label: say('app.terms'), href: termsUrl },
  ].flatMap(({ label, href }) => (href ? [{ label, href }] : []))
  if (links.length === 0) return null
  return (
    <p className="flex items-start gap-2.5">
      <Link2 aria-hidden className="mt-[3px] size-4 shrink-0" />
      <span className="flex flex-wrap gap-x-3">
        {links.map(({ label, href }) => (
          <a
            key={label}
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            className="text-text underline decoration-control underline-offset-3 hover:decoration-current"
          >
            {label}
          </a>
        ))}
      </span>
    </p>
  )
}
