import { describe, expect, it } from 'vitest'
import { workspaceProblems } from './attention'

const now = Date.parse('2026-11-22T12:00:00Z')
const at = (hours: number) => new Date(now + hours * 3_600_000)
const token = (
  name: string,
  hours: number,
  state: 'ended' | 'soon' | 'later',
  lastUsedAt: Date | null = null,
) => ({
  id: name,
  name,
  kind: 'WORKSPACE' as const,
  lastFour: '4f2a',
  expiresAt: at(hours),
  lastUsedAt,
  user: 'Ada',
  belongsTo: null,
  clientId: null,
  state,
})
const some = <Row>(rows: Row[], total = rows.length) => ({ rows, total })
const pressing = (tokens: number, accountTokens = 0, secrets = 0) => ({ tokens, accountTokens, secrets })
const places = { developer: '/d', tokens: '/t', apps: '/a', invitations: '/i' }

describe('the Needs attention list', () => {
  it('is empty if there are no problems', () => {
    const expiring = { rows: [token('in a month', 29 * 24, 'later')], pressing: pressing(0) }
    const calm = { refused: some([]), expiring, asked: some([]) }
    expect(workspaceProblems(calm, places, now)).toEqual({ items: [], total: 0, more: [] })
  })

  it('lists the worst problem first, names the app, token, or user, and links to the page for fixing the problem', () => {
    const refused = some([
      { id: 'lk_app_1', name: 'Deploy Bot', times: 41, lastAt: at(-1), why: 'Unregistered URI' },
    ])
    const asked = some([{ id: '1', clientId: 'c', name: 'Claude Code', user: 'Grace Hopper', reason: '' }])
    const tokens = [
      token('gone', -1, 'ended'),
      token('today', 5, 'soon', at(-2)),
      token('Nightly export', 70, 'soon'),
    ]
    const expiring = { rows: tokens, pressing: pressing(3) }
    const needed = workspaceProblems({ refused, expiring, asked }, places, now)
    expect(needed).toMatchObject({ total: 5, more: [] })
    expect(needed.items.map(({ title, href }) => `${title}: ${href}`)).toEqual([
      '41 requests from Deploy Bot were refused this week: /d/lk_app_1/activity',
      'The token “gone” has expired: /t',
      'The token “today” expires in 5 hours: /t',
      'The token “Nightly export” expires in 3 days: /t',
      'Grace Hopper wants to use Claude Code: /a/c',
    ])
  })

  it('counts the entries that are not listed and links to the page of each kind', () => {
    const asked = some([{ id: '1', clientId: 'c', name: 'Claude Code', user: 'Grace Hopper', reason: '' }], 9)
    const expiring = { rows: [token('gone', -1, 'ended')], pressing: pressing(2, 1, 3) }
    const needed = workspaceProblems({ refused: some([]), expiring, asked }, places, now)
    expect(needed.items).toHaveLength(2)
    expect(needed.total).toBe(15)
    expect(needed.more).toEqual([
      { href: '/t', label: '1 more expiring token' },
      { href: '/account/tokens', label: '1 more expiring account token' },
      { href: '/d', label: '3 more expiring client secrets' },
      { href: '/a', label: '8 more requests' },
    ])
  })
})
