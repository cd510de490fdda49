import { CircleX, Clock, Hand } from 'lucide-react'
import type { ExpiringToken, RefusedApp } from '@/lib/features/overview/read-overview'
import { relativeTime } from '../ui/relative-time'
import type { Attention } from './attention-list'

type Asked = { id: string; clientId: string; name: string; person: string; reason: string }

const day = 86_400_000

/** So long before it ends a token is a matter for today. */
const soonDays = 7

/** How near the end of a token is. */
export const stateOf = (
  { expiresAt }: Pick<ExpiringToken, 'expiresAt'>,
  now = Date.now(),
): 'ended' | 'soon' | 'later' =>
  expiresAt.getTime() <= now ? 'ended' : expiresAt.getTime() - now < soonDays * day ? 'soon' : 'later'

const ends = (moment: Date, now: number) =>
  moment.getTime() <= now ? 'has expired' : `expires ${relativeTime(moment.getTime(), now)}`

/**
 * What needs somebody's attention in a workspace, the worst first: refusals, tokens that end, requests for apps.
 * @param places the addresses of the pages where each is mended
 */
export function attentionOf(
  { refused, expiring, asked }: { refused: RefusedApp[]; expiring: ExpiringToken[]; asked: readonly Asked[] },
  places: { developer: string; tokens: string; apps: string },
  now = Date.now(),
): Attention[] {
  return [
    ...refused.map(
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
    ...expiring
      .filter((token) => stateOf(token, now) !== 'later')
      .map(
        (token): Attention => ({
          key: token.id,
          tone: 'warning',
          icon: Clock,
          title: `The token “${token.name}” ${ends(token.expiresAt, now)}`,
          text: token.lastUsedAt
            ? `It was last used on ${token.lastUsedAt.toISOString().slice(0, 10)}, so something may still depend on it.`
            : 'It was never used.',
          href: places.tokens,
          action: 'Open tokens',
        }),
      ),
    ...asked.map(
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
}
