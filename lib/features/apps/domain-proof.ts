import { OutboundError } from '@/lib/base/outbound/check-url'
import { lookForTxt } from '@/lib/base/outbound/guarded-agent'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import type { AppDomain } from '@/lib/generated/prisma/client'

type Claim = Pick<AppDomain, 'domain' | 'token'>

/** What proves a domain, and where it is looked for: a DNS record, or a file. Either will do. */
export const proofOf = ({ domain, token }: Claim) => ({
  text: `latchkey-app=${token}`,
  record: `_latchkey.${domain}`,
  file: `https://${domain}/.well-known/latchkey-app.txt`,
})

/** Where a proof was found, or a sentence about what was found instead. */
export type Look = { found: 'DNS' | 'FILE' } | { problem: string }

/** Looks for the proof of a domain, by DNS first. */
export async function lookForProof(claim: Claim): Promise<Look> {
  const { text, record, file } = proofOf(claim)
  const inRecords = await lookForTxt(record, text)
  if (inRecords === undefined) return { found: 'DNS' }
  const inFile = await readProof(file, text).catch(problemOf)
  if (inFile === true) return { found: 'FILE' }
  return { problem: `${inRecords} ${inFile || 'The file does not say what it should.'}` }
}

/**
 * Whether the file at an address holds a text as one of its lines. A redirect is not followed: whoever may send people on from
 * a domain need not own it.
 * @throws OutboundError
 */
export async function readProof(address: string, text: string): Promise<boolean> {
  const { status, body } = await guardedFetch(address, { purpose: 'domain', maxBytes: 4_096, truncate: true })
  if (status !== 200) throw new OutboundError('network', `The file was answered with ${status}.`)
  return body
    .toString('utf8')
    .split(/\r?\n/)
    .some((line) => line.trim() === text)
}

const problemOf = (error: unknown): string => {
  if (error instanceof OutboundError) return error.message
  throw error
}
