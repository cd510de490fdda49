import { AppLogo, type LogoOwner } from '../ui/avatar'
import { cn } from '../ui/cn'

/** The branding of the instance. The layout reads it from the configuration and passes it down. */
export type Brand = {
  serviceName: string
  /** The URL of a square image. If both logos are omitted, the key mark is shown in the accent color. */
  logoUrl?: string | undefined
  /** The logo for dark pages. */
  logoDarkUrl?: string | undefined
  /** The links below the centered cards: help, terms, and privacy, if the instance admin set them. */
  links?: { label: string; href: string }[]
}

const sizes = {
  small: 'size-6 rounded-control',
  medium: 'size-8 rounded-card',
  large: 'size-12 rounded-[12px]',
}

/** Shows the instance's logo. It is decorative: the service name is next to it or in the heading. */
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
  // biome-ignore lint/performance/noImgElement: logos can be on any host and have one small size
  <img src={src} alt="" width={48} height={48} className={className} />
)

/** Shows the logos of an app and the instance, joined by a line. */
export const AppPair = ({ brand, app }: { brand: Brand; app: LogoOwner }) => (
  <div className="flex items-center">
    <AppLogo app={app} size="large" className="size-12 rounded-[12px] text-base" />
    <span aria-hidden className="w-10 border-control border-t border-dashed" />
    <Logo brand={brand} size="large" />
  </div>
)

/** The first tab stop: a link that skips the rail and leads to `<main id="content">`. */
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
