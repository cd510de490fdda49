import { AppLogo, type LogoOwner } from '../ui/avatar'
import { cn } from '../ui/cn'

/** The branding of the instance. Pages read it with `readBrand` and pass it to their components. */
export type Brand = {
  serviceName: string
  /**
   * The URL of a square image. If only one of the two logos is set, all pages show that logo. If both logos
   * are omitted, pages show the key mark on the accent color.
   */
  logoUrl?: string | undefined
  /** The URL of the logo for dark pages. */
  logoDarkUrl?: string | undefined
  /**
   * The links to help, terms, and privacy that the instance admin set. They are below the cards of auth pages
   * and in the Help menu.
   */
  links?: { label: string; href: string }[]
}

const sizes = {
  small: 'size-6 rounded-control',
  medium: 'size-8 rounded-card',
  large: 'size-12 rounded-[12px]',
}

/**
 * Shows the instance's logo or, without a logo, the key mark. It is decorative, because the service name is
 * next to it or in the heading.
 */
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

/**
 * A link to `<main id="content">`. It is the first tab stop of the page, and is visible only while it has the
 * focus.
 */
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
