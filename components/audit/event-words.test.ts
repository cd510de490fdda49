import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tellDeed, wordsOf } from './event-words'

/** The actions that are written into the audit log, as the code that records them spells them. */
const recorded = fs
  .readdirSync('lib/features', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => fs.readFileSync(path.join('lib/features', file), 'utf8'))
  .filter((source) => source.includes('recordEvent'))
  .flatMap((source) => source.match(/^.*\b(?:action:|event\().*$/gm) ?? [])
  .flatMap((line) => [...line.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action as string))

it('tells every recorded action in words, not by its code', () => {
  expect(recorded.length).toBeGreaterThan(40)
  const mute = recorded.filter((action) => wordsOf(action) === action.replace('.', ' ').replaceAll('_', ' '))
  expect([...new Set(mute)]).toEqual([])
})

it('says of somebody who came or went by themselves that they did', () => {
  const event = { action: 'member.added', userId: 'ada', resourceId: 'ada' }
  expect(tellDeed(event)).toEqual({ words: 'joined', alone: true })
  expect(tellDeed({ ...event, userId: 'grace' })).toEqual({ words: 'added', alone: false })
})
