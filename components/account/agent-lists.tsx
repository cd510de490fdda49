import type { Arrival } from '@/lib/features/apps/authorizations/list-authorizations'
import type { AgentClient } from '@/lib/features/docs/snippets/agents'
import { ButtonAnchor } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { CircleCheck, ExternalLink } from '../ui/icon'
import { TextLink } from '../ui/link'
import { Time } from '../ui/time'
import { RefreshPeriodically } from './refresh-periodically'

/**
 * Lists the agents that the user recently authorized, or that recently acted for the user. While the page is
 * visible, the list is refreshed every few seconds.
 */
export function ArrivalList({ arrivals }: { arrivals: Arrival[] }) {
  return (
    <div role="status" className="p-4">
      <RefreshPeriodically />
      {arrivals.length === 0 ? (
        <p className="text-muted">No agents yet. Your agent appears here after you authorize it.</p>
      ) : (
        <ul className="grid gap-3">
          {arrivals.map(({ id, app, at, used }) => (
            <li key={id} className="flex min-w-0 items-center gap-2">
              <CircleCheck className="size-4 shrink-0 text-success" />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="font-medium">{app.name}</span>{' '}
                <span className="text-muted">
                  {used ? 'last used' : 'authorized'} <Time at={at} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-3 text-[13px] text-muted">
        See the access and recent activity of each agent in{' '}
        <TextLink href="/account/apps">Authorized apps</TextLink>.
      </p>
    </div>
  )
}

/** Shows how each client connects, with the text to copy and, if supported, a link that opens the client. */
export function ClientList({ clients }: { clients: AgentClient[] }) {
  return (
    <ul aria-label="Clients">
      {clients.map(({ name, words, copy, opens }) => (
        <li key={name} className="grid grid-cols-[minmax(0,1fr)] gap-2 border-b p-4 last:border-b-0">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
              <h3 className="font-medium">{name}</h3>
              <p className="max-w-[64ch] text-[13px] text-muted">{words}</p>
            </div>
            <div className="flex gap-2">
              {opens && (
                <ButtonAnchor href={opens} size="small">
                  <ExternalLink />
                  Open {name}
                </ButtonAnchor>
              )}
              <CopyButton value={copy.code.trimEnd()} label={`Copy for ${name}`} />
            </div>
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: a section does not keep the line breaks of the code */}
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
            tabIndex={0}
            role="region"
            aria-label={`${name}: ${copy.title}`}
            title={copy.title}
            className="overflow-x-auto rounded-control border bg-raised px-3 py-2 font-mono text-[13px] leading-5"
          >
            <code>{copy.code.trimEnd()}</code>
          </pre>
        </li>
      ))}
    </ul>
  )
}
