import { describe, expect, it } from 'vitest'
import { attentionOf, stateOf } from './attention-of'

const now = Date.parse('2026-11-22T12:00:00Z')
const at = (hours: number) => new Date(now + hours * 3_600_000)
const token = (name: string, hours: number, lastUsedAt: Date | null = null) => ({
  id: name,
  name,
  kind: 'WORKSPACE' as const,
  lastFour: '4f2a',
  expiresAt: at(hours),
  lastUsedAt,
  person: 'Ada',
  project: null,
})
const places = { developer: '/d', tokens: '/t', apps: '/a' }

describe('what needs attention', () => {
  it('is nothing where all is well', () => {
    const calm = { refused: [], expiring: [token('in a month', 29 * 24)], asked: [] }
    expect(attentionOf(calm, places, now)).toEqual([])
  })

  it('names the app, the token and the person, the worst first, and leads to where it is mended', () => {
    const refused = [
      { id: 'lk_app_1', name: 'Deploy Bot', times: 41, lastAt: at(-1), why: 'Unregistered URI' },
    ]
    const asked = [{ id: '1', clientId: 'c', name: 'Claude Code', person: 'Grace Hopper', reason: '' }]
    const expiring = [token('gone', -1), token('today', 5, at(-2)), token('Nightly export', 70)]
    expect(
      attentionOf({ refused, expiring, asked }, places, now).map(({ title, href }) => `${title}: ${href}`),
    ).toEqual([
      'Deploy Bot was refused 41 times this week: /d/lk_app_1/activity',
      'The token “gone” has expired: /t',
      'The token “today” expires in 5 hours: /t',
      'The token “Nightly export” expires in 2 days: /t',
      'Grace Hopper asks to use Claude Code here: /a',
    ])
  })

  it('tells a token of the next days from one of this month', () => {
    expect([-1, 24, 6.9 * 24, 8 * 24].map((hours) => stateOf(token('one', hours), now))).toEqual([
      'ended',
      'soon',
      'soon',
      'later',
    ])
  })
})
