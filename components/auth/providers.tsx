import type { Say } from '@/lib/base/language/say'
import { Button } from '../ui/button'
import { KeySquare } from '../ui/icon'

/**
 * An identity provider: its ID, its name, the URL to which its form posts, and the CSRF token if the URL
 * requires one.
 */
export type ProviderChoice = { id: string; name: string; action: string; csrfToken?: string | undefined }

/**
 * Shows a "Continue with …" button for each identity provider, with the provider's mark. Renders nothing if
 * `providers` is empty.
 */
export const Providers = ({
  providers,
  next,
  say,
}: {
  providers: ProviderChoice[]
  next?: string | undefined
  say: Say
}) =>
  providers.map(({ id, name, action, csrfToken }) => (
    <form key={id} method="post" action={action}>
      {csrfToken && <input type="hidden" name="csrfToken" value={csrfToken} />}
      {next && <input type="hidden" name="next" value={next} />}
      <input type="hidden" name="callbackUrl" value={next ?? '/'} />
      <Button
        type="submit"
        size="large"
        wide
        className="relative justify-start whitespace-normal ps-11 text-start"
      >
        <ProviderMark id={id} />
        {say('login.with', { provider: name })}
      </Button>
    </form>
  ))

/**
 * A line with a text that separates two ways to sign in. `script`: whether the way above the line requires
 * JavaScript. If so, the line is hidden without JavaScript.
 */
export const WaySeparator = ({ children, script = false }: { children: string; script?: boolean }) => (
  <p
    className={`${script ? 'needs-script ' : ''}flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border`}
  >
    {children}
  </p>
)

const place = 'absolute start-3.5 size-[18px]'

/**
 * Shows the mark of GitHub or Google, according to the provider's rules for buttons. Shows a key icon for any
 * other identity provider.
 * @param className the position and the size; by default, those of a mark at the start of a button
 */
export function ProviderMark({ id, className = place }: { id: string; className?: string | undefined }) {
  if (id === 'github')
    return (
      <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" className={className}>
        <path d="M12 .8a11.4 11.4 0 0 0-3.6 22.2c.57.1.78-.25.78-.55v-2.13c-3.17.7-3.84-1.34-3.84-1.34-.52-1.32-1.27-1.67-1.27-1.67-1.03-.71.08-.7.08-.7 1.15.08 1.75 1.18 1.75 1.18 1.02 1.74 2.67 1.24 3.32.95.1-.74.4-1.24.72-1.53-2.53-.29-5.2-1.27-5.2-5.63 0-1.24.45-2.26 1.18-3.06-.12-.29-.51-1.45.11-3.01 0 0 .96-.31 3.14 1.17a10.8 10.8 0 0 1 5.7 0c2.18-1.48 3.13-1.17 3.13-1.17.63 1.56.23 2.72.12 3.01.73.8 1.17 1.82 1.17 3.06 0 4.37-2.67 5.33-5.21 5.62.41.35.77 1.05.77 2.11v3.14c0 .3.2.66.79.55A11.4 11.4 0 0 0 12 .8z" />
      </svg>
    )
  if (id === 'google')
    return (
      <svg viewBox="0 0 18 18" aria-hidden="true" className={className}>
        <path
          fill="#4285f4"
          d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92a8.78 8.78 0 0 0 2.68-6.62z"
        />
        <path
          fill="#34a853"
          d="M9 18a8.6 8.6 0 0 0 5.96-2.18l-2.92-2.26a5.4 5.4 0 0 1-8.08-2.85H.96v2.33A9 9 0 0 0 9 18z"
        />
        <path fill="#fbbc05" d="M3.96 10.71a5.4 5.4 0 0 1 0-3.42V4.96H.96a9 9 0 0 0 0 8.08z" />
        <path
          fill="#ea4335"
          d="M9 3.58c1.32 0 2.51.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.96l3 2.33A5.36 5.36 0 0 1 9 3.58z"
        />
      </svg>
    )
  return <KeySquare className={className} />
}
