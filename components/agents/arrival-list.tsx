import { CircleCheck } from 'lucide-react'
import type { Arrival } from '@/lib/features/apps/authorizations/list-authorizations'
import { TextLink } from '../ui/text-link'
import { Time } from '../ui/time'
import { LookAgain } from './look-again'

/** What has come lately, as it comes: the page asks again while it is looked at. */
export function ArrivalList({ arrivals }: { arrivals: Arrival[] }) {
  return (
    <div role="status" className="p-4">
      <LookAgain />
      {arrivals.length === 0 ? (
        <p className="text-muted">Nothing yet. Your agent appears here once you’ve let it in.</p>
      ) : (
        <ul className="grid gap-3">
          {arrivals.map(({ id, app, at }) => (
            <li key={id} className="flex min-w-0 items-center gap-2">
              <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="font-medium">{app.name}</span>{' '}
                <span className="text-muted">
                  is connected, <Time at={at} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-3 text-[13px] text-muted">
        See what each can reach, and what it did, in <TextLink href="/account/apps">Authorized apps</TextLink>
        .
      </p>
    </div>
  )
}
