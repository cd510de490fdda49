import { Button } from '../ui/button'
import { HiddenFields } from '../ui/hidden-fields'

/** Another service to sign in with: its name, the form's target, and hidden fields such as a CSRF token. */
export type ProviderChoice = { name: string; action: string; fields?: Record<string, string> }

/** "Continue with ..." buttons under the password form; nothing when none is configured. */
export function Providers({ providers, next }: { providers: ProviderChoice[]; next?: string | undefined }) {
  if (providers.length === 0) return null
  return (
    <div className="mt-5 grid gap-2.5">
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        or
      </p>
      {providers.map(({ name, action, fields }) => (
        <form key={name} method="post" action={action}>
          <HiddenFields fields={fields} />
          {next && <input type="hidden" name="next" value={next} />}
          <Button type="submit" size="large" wide>
            Continue with {name}
          </Button>
        </form>
      ))}
    </div>
  )
}
