import { within } from '@/lib/base/process/within'
import { readByKey } from './shared-reads'

/** As long as a probe waits (lib/server/health.ts). */
const answerMs = 900

const one = readByKey<{ one: number }, []>('does-answer', 'SELECT 1 AS one')

/**
 * Asks the database for nothing, over connections that no slow statement holds: whether what takes long is the question or
 * the database.
 * @throws what the driver throws, or Error when no answer comes in time
 */
export async function seeThatDatabaseAnswers(): Promise<void> {
  await within(answerMs, one())
}
