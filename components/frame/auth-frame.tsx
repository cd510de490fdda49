import type { ReactNode } from 'react'
import { allLanguages, languages } from '@/lib/base/language/languages'
import type { Say } from '@/lib/base/language/say'
import { cn } from '../ui/cn'
import { Globe, Lock } from '../ui/icon'
import { type Brand, Logo, SkipLink } from './brand'

/**
 * The frame of an auth page, in the language of the visitor: one card on the plain background, the instance's
 * logo and name above the card, and a footer with the instance's links and the language menu. Set
 * `logo={false}` if the card itself shows the logo. `wide` is for a card that needs more width. It also
 * removes the card's padding. `below` is shown between the card and the footer.
 */
export function AuthFrame({
  brand,
  say,
  logo = true,
  wide = false,
  below,
  children,
}: {
  brand: Brand
  say: Say
  logo?: boolean
  wide?: boolean
  below?: ReactNode
  children: ReactNode
}) {
  return (
    <div
      lang={say.language}
      dir={say.direction}
      className="auth-page flex min-h-dvh flex-col items-center px-4 py-6 text-base leading-6 sm:justify-center sm:py-12"
    >
      <SkipLink>{say('frame.skip')}</SkipLink>
      {logo && (
        <header className="mb-5 flex max-w-full items-center gap-2.5 font-semibold text-[17px]">
          <Logo brand={brand} size="medium" />
          <span className="wrap-anywhere min-w-0">{brand.serviceName}</span>
        </header>
      )}
      <main id="content" tabIndex={-1} className={cn('w-full', wide ? 'max-w-[940px]' : 'max-w-card')}>
        <div className={cn('auth-card border bg-surface', !wide && 'p-5 sm:p-8')}>{children}</div>
        {below && <div className="mt-4 text-center text-muted text-sm">{below}</div>}
      </main>
      <footer className="mt-6 flex flex-wrap items-center justify-center gap-x-4 gap-y-2 text-[13px] text-muted">
        <span className="inline-flex items-center gap-1.5">
          <Lock className="size-3.5 shrink-0" />
          {say('frame.secured', { service: brand.serviceName })}
        </span>
        {brand.links?.map(({ label, href }) => (
          <a
            key={label}
            href={href}
            className="underline decoration-border underline-offset-3 hover:decoration-current"
          >
            {say.known(label)}
          </a>
        ))}
        <LanguageMenu say={say} />
      </footer>
      <script
        src="/missing.js"
        defer
        data-missing={say('shared.missing')}
        data-choose={say('shared.choose')}
      />
    </div>
  )
}

/**
 * Lists each language by its own name. The menu is a form that posts the choice. The server stores the choice
 * in a cookie and redirects back to the page.
 */
const LanguageMenu = ({ say }: { say: Say }) => (
  <details className="auth-languages relative">
    <summary className="inline-flex items-center gap-1.5 rounded-[3px] py-0.5">
      <Globe className="size-3.5 shrink-0" />
      <span className="sr-only">{say('frame.language')}: </span>
      <span className="underline decoration-border underline-offset-3">{languages[say.language]}</span>
    </summary>
    <form
      method="post"
      action="/language"
      className="absolute end-0 bottom-7 z-10 grid w-40 rounded-control border bg-surface p-1 shadow-overlay"
    >
      {allLanguages.map((language) => (
        <button
          key={language}
          type="submit"
          name="language"
          value={language}
          lang={language}
          aria-current={language === say.language ? 'true' : undefined}
        >
          {languages[language]}
        </button>
      ))}
    </form>
  </details>
)
