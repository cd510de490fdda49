import type { ReactNode } from 'react'
import type { ExpiringItem, PressingItems, RefusedApp } from '@/lib/features/workspaces/read-overview'
import { cn } from '../ui/cn'
import { counted, relativeTime } from '../ui/formats'
import { CircleX, Clock, Hand, type Icon } from '../ui/icon'
import { ButtonLink, TextLink } from '../ui/link'

export type Attention = {
  key: string
  tone: 'danger' | 'warning' | 'info'
  icon: Icon
  title: string
  text: ReactNode
  href: string
  /** The label of the button. */
  action: string
}

/**
 * A link to a page with the problems of one kind that are not in AttentionList. The label contains their
 * number and kind.
 */
export type MoreAttention = { href: string; label: string }

const tones = {
  danger: 'bg-danger-soft text-danger',
  warning: 'bg-warning-soft text-warning',
  info: 'bg-info-soft text-info',
}

/**
 * Lists problems, each with a link to the page on which users can fix it. Links to the remaining problems
 * come last.
 */
export function AttentionList({
  items,
  more,
}: {
  items: readonly Attention[]
  more: readonly MoreAttention[]
}) {
  return (
    <ul aria-label="Needs attention">
      {items.map(({ key, tone, icon: Icon, title, text, href, action }) => (
        <li
          key={key}
          className="flex min-h-14 items-center gap-3 border-b px-4 py-2 last:border-b-0 max-sm:flex-wrap"
        >
          <span className={cn('grid size-8 shrink-0 place-content-center rounded-[8px]', tones[tone])}>
            <Icon className="size-4" />
          </span>
          <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] max-sm:basis-[calc(100%-60px)]">
            <span className="wrap-anywhere font-medium">{title}</span>
            <span className="text-[13px] text-muted [overflow-wrap:anywhere] sm:line-clamp-2">{text}</span>
          </span>
          <ButtonLink href={href} size="small" className="max-sm:ml-11" aria-label={`${action}: ${title}`}>
            {action}
          </ButtonLink>
        </li>
      ))}
      {more.length > 0 && (
        <li className="flex flex-wrap gap-x-5 gap-y-1 bg-raised px-4 py-2.5 text-[13px]">
          {more.map(({ href, label }) => (
            <TextLink key={label} href={href}>
              {label}
            </TextLink>
          ))}
        </li>
      )}
    </ul>
  )
}

type Asked = { id: string; clientId: string; name: string; user: string; reason: string }

/** The loaded rows of one kind of problem, and the total number of its rows. */
type Some<Row> = { rows: readonly Row[]; total: number }

const ends = ({ state, expiresAt }: ExpiringItem, now: number) =>
  state === 'ended' ? 'has expired' : `expires ${relativeTime(expiresAt.getTime(), now)}`

/** The URLs of the pages that list apps (which have client secrets), tokens, and invitations. */
export type ExpiringPlaces = { developer: string; tokens: string; invitations: string }

/** Returns the URL of the page on which an item can be renewed. */
export const placeOfExpiring = ({ kind, clientId }: ExpiringItem, places: ExpiringPlaces): string =>
  ({
    ACCOUNT: '/account/tokens',
    WORKSPACE: places.tokens,
    PROJECT: places.tokens,
    SECRET: `${places.developer}/${clientId}/credentials`,
    INVITATION: places.invitations,
  })[kind]

/** Returns the subject of a sentence about a token or a client secret. */
const titleOf = ({ kind, name, lastFour, belongsTo }: ExpiringItem): string =>
  kind === 'SECRET' ? `The client secret …${lastFour} of ${belongsTo}` : `The token “${name}”`

/**
 * Returns the problems of a workspace, worst first: apps with failed requests, tokens and secrets that expire
 * soon or have expired, and requests for apps.
 * @param places the URLs of the pages on which users can fix the problems
 * @returns the listed problems, the total count, and links to the problems that are not listed
 */
export function workspaceProblems(
  {
    refused,
    expiring,
    asked,
  }: {
    refused: Some<RefusedApp>
    expiring: { rows: readonly ExpiringItem[]; pressing: PressingItems }
    asked: Some<Asked>
  },
  places: ExpiringPlaces & { apps: string },
  now = Date.now(),
): { items: Attention[]; total: number; more: MoreAttention[] } {
  const pressing = expiring.rows.filter(({ state, kind }) => state !== 'later' && kind !== 'INVITATION')
  const { tokens, accountTokens, secrets } = expiring.pressing
  const beyond = (all: number, ...kinds: ExpiringItem['kind'][]) =>
    all - pressing.filter(({ kind }) => kinds.includes(kind)).length
  const items = [
    ...refused.rows.map(
      ({ id, name, times, why }): Attention => ({
        key: id,
        tone: 'danger',
        icon: CircleX,
        title: `${counted(times, 'request', 'requests')} from ${name} ${times === 1 ? 'was' : 'were'} refused this week`,
        text: why.replace(/^./, (first) => first.toUpperCase()),
        href: `${places.developer}/${id}/activity`,
        action: 'Review requests',
      }),
    ),
    ...pressing.map(
      (item): Attention => ({
        key: item.id,
        tone: 'warning',
        icon: Clock,
        title: `${titleOf(item)} ${ends(item, now)}`,
        text: item.lastUsedAt
          ? `Last used ${relativeTime(item.lastUsedAt.getTime(), now)}. Something might still depend on it.`
          : 'Never used.',
        href: placeOfExpiring(item, places),
        action: item.kind === 'SECRET' ? 'Open secrets' : 'Open tokens',
      }),
    ),
    ...asked.rows.map(
      ({ id, clientId, name, user, reason }): Attention => ({
        key: id,
        tone: 'info',
        icon: Hand,
        title: `${user} wants to use ${name}`,
        text: reason || 'An admin must approve the app before members can use it.',
        href: `${places.apps}/${encodeURIComponent(clientId)}`,
        action: 'Review request',
      }),
    ),
  ]
  const more = [
    [
      refused.total - refused.rows.length,
      'app with refused requests',
      'apps with refused requests',
      places.developer,
    ],
    [beyond(tokens, 'WORKSPACE', 'PROJECT'), 'expiring token', 'expiring tokens', places.tokens],
    [
      beyond(accountTokens, 'ACCOUNT'),
      'expiring account token',
      'expiring account tokens',
      '/account/tokens',
    ],
    [beyond(secrets, 'SECRET'), 'expiring client secret', 'expiring client secrets', places.developer],
    [asked.total - asked.rows.length, 'request', 'requests', places.apps],
  ] as const
  return {
    items,
    total: refused.total + tokens + accountTokens + secrets + asked.total,
    more: more
      .filter(([left]) => left > 0)
      .map(([left, one, several, href]) => ({
        href,
        label: counted(left, `more ${one}`, `more ${several}`),
      })),
  }
}
