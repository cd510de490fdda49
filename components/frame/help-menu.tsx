import { BookOpen, CircleAlert, CircleHelp, ExternalLink, Gauge, Webhook } from 'lucide-react'
import Link from 'next/link'
import type { Brand } from './brand'
import { PopMenu, popItem } from './pop-menu'

const pages = [
  { label: 'Guides', href: '/docs', icon: BookOpen },
  { label: 'What an error means', href: '/docs/errors', icon: CircleAlert },
  { label: 'Limits', href: '/docs/limits', icon: Gauge },
  { label: 'API reference', href: '/docs/graphql', icon: Webhook },
]

/** Where somebody who is stuck goes on: our own pages, and whatever the operator has set. */
export function HelpMenu({ brand, className }: { brand: Brand; className: string }) {
  return (
    <PopMenu
      summaryClass={`cursor-pointer select-none ${className}`}
      popClass="bottom-[calc(100%+6px)] left-0 w-56"
      summary={
        <>
          <CircleHelp aria-hidden className="size-4 shrink-0" /> Help
        </>
      }
    >
      {pages.map(({ label, href, icon: Icon }) => (
        <Link key={href} href={href} className={popItem}>
          <Icon aria-hidden /> {label}
        </Link>
      ))}
      {brand.links?.map(({ label, href }) => (
        <a key={label} href={href} className={popItem}>
          <ExternalLink aria-hidden /> {label === 'Help' ? `Help from ${brand.serviceName}` : label}
        </a>
      ))}
    </PopMenu>
  )
}
