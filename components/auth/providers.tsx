import type { Say } from '@/lib/base/language/say'
import { Button } from '../ui/button'
import { ProviderMark } from './provider-mark'

/** Another service to sign in with: its id, its name and the form's target. */
export type ProviderChoice = { id: string; name: string; action: string }

/** "Continue with ..." buttons, each with the mark of its service; nothing when none is configured. */
export const Providers = ({
  providers,
  next,
  say,
}: {
  providers: ProviderChoice[]
  next?: string | undefined
  say: Say
}) =>
  providers.map(({ id, name, action }) => (
    <form key={id} method="post" action={action}>
      {next && <input type="hidden" name="next" value={next} />}
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

/** The line between two ways of signing in. `script` where the way above takes one. */
export const Or = ({ children, script = false }: { children: string; script?: boolean }) => (
  <p
    className={`${script ? 'needs-script ' : ''}flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border`}
  >
    {children}
  </p>
)
