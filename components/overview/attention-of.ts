import { CircleX, Clock, Hand } from 'lucide-react'
import type { ExpiringToken, RefusedApp } from '@/lib/features/overview/read-overview'
import { counted } from '../ui/counted'
import { relativeTime } from '../ui/relative-time'
import type { Attention, MoreAttention } from './attention-list'

type Asked = { id: string; clientId: string; name: string; person: string; reason: string }

/** What was read of a kind, and how many there are. */
type Some<Row> = { rows: readonly Row[]; total: number }

const ends = ({ state, expiresAt }: ExpiringToken, now: number) =>
  state === 'ended' ? 'has expired' : `expires ${relativeTime(expiresAt.getTime(), now)}`

/**
 * What needs somebody's attention in a workspace, the worst first: refusals, tokens that end, requests for apps.
 * @param places the addresses of the pages where each is mended
 * @returns what is shown of it, how much there is in all, and the ways to what is not shown
 */
export function attentionOf(
  {
    refused,
    expiring,
    asked,
  }: {
    refused: Some<RefusedApp>
    expiring: { rows: readonly ExpiringToken[]; pressing: number }
    asked: Some<Asked>
  },
  places: { developer: string; tokens: string; apps: string },
  now = Date.now(),
): { items: Attention[]; total: number; more: MoreAttention[] } {
  const pressing = expiring.rows.filter(({ state }) => state !== 'later')
  const items = [
    ...refused.rows.map(
      ({ id, name, times, why }): Attention => ({
        key: id,
        tone: 'danger',
        icon: CircleX,
        title: `${name} was refused ${times === 1 ? 'once' : `${times.toLocaleString('en')} times`} this week`,
        text: why.replace(/^./, (first) => first.toUpperCase()),
        href: `${places.developer}/${id}/activity`,
        action: 'Review requests',
      }),
    ),
    ...pressing.map(
      (token): Attention => ({
        key: token.id,
        tone: 'warning',
        icon: Clock,
        title: `The token “${token.name}” ${ends(token, now)}`,
        text: token.lastUsedAt
          ? `Last used ${relativeTime(token.lastUsedAt.getTime(), now)}, so something may still depend on it.`
          : 'It was never used.',
        href: places.tokens,
        action: 'Open tokens',
      }),
    ),
    ...asked.rows.map(
      ({ id, name, person, reason }): Attention => ({
        key: id,
        tone: 'info',
        icon: Hand,
        title: `${person} asks to use ${name} here`,
        text: reason || 'An admin decides whether the app may be used in this workspace.',
        href: places.apps,
        action: 'Review request',
      }),
    ),
  ]
  const more = [
    [refused.total - refused.rows.length, 'refused app', 'refused apps', places.developer],
    [expiring.pressing - pressing.length, 'expiring token', 'expiring tokens', places.tokens],
    [asked.total - asked.rows.length, 'request', 'requests', places.apps],
  ] as const
  return {
    items,
    total: refused.total + expiring.pressing + asked.total,
    more: more
      .filter(([left]) => left > 0)
      .map(([left, one, several, href]) => ({
        href,
        label: counted(left, `more ${one}`, `more ${several}`),
      })),
  }
}
