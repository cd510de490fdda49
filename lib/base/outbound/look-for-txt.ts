import { outboundErrorIn } from './outbound-error'
import { resolveTxt } from './resolve-txt'

/**
 * Looks for a text among the TXT records of a name that a person gave.
 * @returns what stands in the way, in a sentence; undefined where one of them says it
 */
export async function lookForTxt(record: string, text: string): Promise<string | undefined> {
  try {
    const records = await resolveTxt(record)
    if (records.some((each) => each.trim() === text)) return undefined
    return records.length === 0
      ? `There is no TXT record at ${record}.`
      : `No TXT record at ${record} says what it should.`
  } catch (error) {
    const refused = outboundErrorIn(error)
    if (refused) return refused.message
    throw error
  }
}
