import { within } from '@/lib/base/process/background'
import { readByKey } from './shared-reads'

/** A probe waits about a second by default; a database that takes longer is told apart from one that answers. */
export const answerMs = 900

const one = readByKey<{ one: number }, []>('does-answer', 'SELECT 1 AS one')

/**
 * Asks the database for nothing, over connections that no slow statement holds: whether what takes long is the question or
 * the database.
 * @throws what the driver throws, or Error when no answer comes in time
 */
export async function seeThatDatabaseAnswers(): Promise<void> {
  await within(answerMs, one())
}
