import { keepResults } from '@/lib/base/process/keep-results'

/** `read`: may go to a replica; `write`: changes something; `begin`, `commit`, `rollback`; `other`: goes to the primary, and changes nothing that lasts. */
export type KindOfStatement = 'read' | 'write' | 'begin' | 'commit' | 'rollback' | 'other'

/** What locks rows can only be had on the primary, and no more can what has effects in a SELECT. */
const primaryOnly =
  /\bFOR\s+(?:NO\s+KEY\s+)?(?:UPDATE|SHARE|KEY\s+SHARE)\b|advisory|\bnextval\b|\bset_config\b|\bpgboss\b|\bcommit_token_request\b/i

/** The word, in a statement or in one of its parts. */
const writes =
  /\b(?:INSERT\s+INTO|(?<!\bFOR\s+|\bKEY\s+|\bDO\s+)UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE)\b/i

/** What a statement does, by its text. A text that is taken for a write by mistake is only waited for. */
export const kindOfStatement = keepResults<KindOfStatement>(2_000, (text) => {
  const [, first = ''] = /^\s*(\w+)/.exec(text) ?? []
  const verb = first.toUpperCase()
  if (verb === 'BEGIN' || verb === 'START') return 'begin'
  if (verb === 'COMMIT' || verb === 'END') return 'commit'
  if (verb === 'ROLLBACK' && !/\bTO\b/i.test(text)) return 'rollback'
  // The queue of jobs: nobody is allowed anything by it.
  if (writes.test(text)) return /\bpgboss\./.test(text) ? 'other' : 'write'
  return (verb === 'SELECT' || verb === 'WITH') && !primaryOnly.test(text) ? 'read' : 'other'
})
