import type { ReactNode } from 'react'
import { type Brand, Logo } from './brand'
import { SkipLink } from './skip-link'

/**
 * The frame of login, sign-up, consent, device and OAuth error pages: one centred card of 420 px on the plain
 * background, the service's logo above (`logo={false}` where the card shows it), "Secured by" and help links below.
 * `beside` is one line under the card, such as "New here? Create an account".
 */
export function CardFrame({
  brand,
  logo = true,
  beside,
  children,
}: {
  brand: Brand
  logo?: boolean
  beside?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-6 text-base leading-6 sm:justify-center sm:py-12">
      <SkipLink />
      {logo && (
        <header className="mb-5 flex items-center gap-2.5 font-semibold text-[17px]">
          <Logo brand={brand} size="medium" />
          {brand.serviceName}
        </header>
      )}
      <main id="content" tabIndex={-1} className="w-full max-w-card">
        <div className="rounded-card border bg-surface p-5 sm:p-8">{children}</div>
        {beside && <div className="mt-4 text-center text-muted text-sm">{beside}</div>}
      </main>
      <footer className="mt-6 flex flex-wrap justify-center gap-x-4 gap-y-1 text-[13px] text-muted">
        <span>Secured by {brand.serviceName}</span>
        {brand.links?.map(({ label, href }) => (
          <a
            key={label}
            href={href}
            className="underline decoration-border underline-offset-3 hover:decoration-current"
          >
            {label}
          </a>
        ))}
      </footer>
    </div>
  )
}

/** The heading of a card, with one sentence under it. */
export function CardHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-6 grid gap-1.5">
      <h1 className="font-semibold text-xl leading-7">{title}</h1>
      {children && <p className="text-[15px] text-muted">{children}</p>}
    </div>
  )
}
