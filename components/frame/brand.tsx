import { AppLogo, type LogoOwner } from '../ui/avatar'
import { cn } from '../ui/cn'

/** What the instance admin sets: the layout reads it from the configuration and hands it down. */
export type Brand = {
  serviceName: string
  /** A square image; without one the key mark in the accent colour stands in. */
  logoUrl?: string | undefined
  /** The same for where the page is dark. */
  logoDarkUrl?: string | undefined
  /** Shown under the centred cards: help, terms, privacy, as far as the instance admin has them. */
  links?: { label: string; href: string }[]
}

const sizes = {
  small: 'size-6 rounded-control',
  medium: 'size-8 rounded-card',
  large: 'size-12 rounded-[12px]',
}

/** The service's logo. Decorative: the service's name stands beside it or in the heading. */
export function Logo({
  brand,
  size = 'small',
  className,
}: {
  brand: Brand
  size?: keyof typeof sizes
  className?: string
}) {
  const { logoUrl, logoDarkUrl } = brand
  if (logoUrl || logoDarkUrl) {
    const look = cn('shrink-0 object-contain', sizes[size], className)
    if (!logoDarkUrl || !logoUrl || logoDarkUrl === logoUrl) {
      return <Picture src={logoUrl ?? (logoDarkUrl as string)} className={look} />
    }
    return (
      <>
        <Picture src={logoUrl} className={cn('on-light', look)} />
        <Picture src={logoDarkUrl} className={cn('on-dark', look)} />
      </>
    )
  }
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className={cn('shrink-0 bg-accent text-accent-text', sizes[size], className)}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <circle cx="9" cy="12" r="2.75" />
      <path d="M11.75 12H18m-2.25 0v2.5" />
    </svg>
  )
}

const Picture = ({ src, className }: { src: string; className: string }) => (
  // biome-ignore lint/performance/noImgElement: logos come from any host, at one small size
  <img src={src} alt="" width={48} height={48} className={className} />
)

/** An app and the service, joined by a line: who asks, and whose account it is about. */
export const AppPair = ({ brand, app }: { brand: Brand; app: LogoOwner }) => (
  <div className="flex items-center">
    <AppLogo app={app} size="large" className="size-12 rounded-[12px] text-base" />
    <span aria-hidden className="w-10 border-control border-t border-dashed" />
    <Logo brand={brand} size="large" />
  </div>
)

/** The first stop of the Tab key: past the rail, to `<main id="content">`. */
export function SkipLink({ children }: { children: string }) {
  return (
    <a
      href="#content"
      className="fixed start-2 top-2 z-60 -translate-y-20 rounded-control border bg-surface px-3 py-2 font-medium focus:translate-y-0 focus:shadow-overlay"
    >
      {children}
    </a>
  )
}
