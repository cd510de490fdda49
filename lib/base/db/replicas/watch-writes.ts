import type pg from 'pg'
import { kindOfStatement } from './kind-of-statement'
import { hasReplicas } from './read-scope'
import { readers } from './readers'
import { takesNothing } from './takes-nothing'

type Any = (...all: unknown[]) => unknown
type Done = (error: unknown, ...rest: unknown[]) => void

/**
 * Has whoever writes over a connection to the primary go on only once no replica is asked any more that lacks it: after the
 * statement, or after the end of its transaction. So what was taken away is gone with the next request, whichever process
 * and replica answers it; and who has written reads what they wrote.
 * @param client about to be used; does nothing to it without DATABASE_REPLICA_URL
 */
export function watchWrites(client: pg.ClientBase): void {
  if (!hasReplicas()) return
  const send = client.query.bind(client) as Any
  let within = false
  let wrote = false
  /** @returns whether to wait after a statement that went well */
  const note = (statement: unknown): boolean => {
    const { text, name } = (typeof statement === 'string' ? { text: statement } : statement) as {
      text?: string
      name?: string
    }
    const kind = kindOfStatement(text ?? '')
    if (kind === 'begin') within = true
    if (kind === 'write' && !takesNothing(name ?? '')) wrote = true
    if (kind === 'commit' || kind === 'rollback') within = false
    if (within) return false
    const due = wrote && kind !== 'rollback'
    wrote = false
    return due
  }
  const watched: Any = (...all) => {
    const isDue = note(all[0])
    if (!isDue) return send(...all)
    const last = all.at(-1)
    if (typeof last === 'function') {
      all[all.length - 1] = ((error, ...rest) => {
        if (error) last(error, ...rest)
        else
          void readers()
            .settled()
            .then(() => last(error, ...rest))
      }) satisfies Done
      return send(...all)
    }
    const answer = send(...all)
    return answer instanceof Promise
      ? answer.then(async (result) => {
          await readers().settled()
          return result
        })
      : answer
  }
  client.query = watched as typeof client.query
}
