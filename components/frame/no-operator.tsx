import type { Say } from '@/lib/base/language/say'
import { Worded } from '../ui/worded'

/** Told on the first pages of an installation that nobody manages yet; it names the way, which takes a shell on the server. */
export const NoOperator = ({ say }: { say: Say }) => (
  <p className="mt-3 text-muted text-sm first:mt-0">
    <Worded
      of={say.parts('operator.none', {
        code: (text) => (
          <code
            dir="ltr"
            className="whitespace-nowrap rounded-sm bg-raised px-1 py-0.5 font-mono text-[13px]"
          >
            {text}
          </code>
        ),
        email: '<email>',
      })}
    />
  </p>
)
