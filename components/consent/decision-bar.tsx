import type { Say } from '@/lib/base/language/say'
import { Button } from '../ui/button'

/**
 * The decision: Authorize, and Deny after it, in the order in which the Tab key and the eye meet them. Beside choices it
 * stays in sight and sums them up, as far as a script runs. `stuck`: there is nothing that could be authorized.
 */
export function DecisionBar({ say, picks, stuck }: { say: Say; picks: boolean; stuck: boolean }) {
  const buttons = (
    <>
      <Button
        type="submit"
        name="decision"
        value="authorize"
        variant="primary"
        size="large"
        disabled={stuck}
        className={picks ? 'min-w-36 max-sm:flex-1' : 'w-full'}
      >
        {say('consent.authorize')}
      </Button>
      <Button
        type="submit"
        name="decision"
        value="deny"
        variant="quiet"
        size="large"
        formNoValidate
        className={picks ? '' : 'w-full'}
      >
        {say('consent.deny')}
      </Button>
    </>
  )
  if (!picks) return <div className="mt-6 grid gap-2">{buttons}</div>
  return (
    <div className="door-decision flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t bg-surface px-5 py-3 sm:px-7">
      <p
        data-reach-sum
        // /reach.js may have said it before React wakes up, where Next draws the page.
        suppressHydrationWarning
        data-none={say(stuck ? 'consent.stuck' : 'consent.noneYet')}
        className="min-h-5 min-w-0 flex-1 basis-60 text-sm text-muted leading-5 max-sm:hidden"
      >
        {stuck ? say('consent.stuck') : ' '}
      </p>
      {buttons}
    </div>
  )
}
