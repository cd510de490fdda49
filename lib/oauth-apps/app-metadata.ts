import type { z } from 'zod'
import type { updateAppInput } from './input'

type Changes = z.output<ReturnType<typeof updateAppInput>>
type Metadata = Record<string, unknown>

/** What of an app's settings is kept as client metadata (RFC 7591 section 2), with what each becomes there. */
const kept: { [Name in keyof Changes]?: (value: NonNullable<Changes[Name]>) => Metadata } = {
  idTokenAlg: (alg) => ({ id_token_signed_response_alg: alg }),
  // An app that hears of sign-outs is told which session ended; else each message would end all of the person's.
  backchannelLogoutUri: (address) => ({
    backchannel_logout_uri: address || undefined,
    backchannel_logout_session_required: address ? true : undefined,
  }),
}

/**
 * Divides an app's new settings into the columns they have and its client metadata.
 * @param before the metadata as it is; what the changes do not touch stays
 */
export function toColumns(before: unknown, changes: Changes) {
  const columns: Metadata = { ...changes }
  let metadata = before as Metadata
  for (const [name, toMetadata] of Object.entries(kept)) {
    const value = columns[name]
    delete columns[name]
    if (value !== undefined) metadata = { ...metadata, ...toMetadata(value as never) }
  }
  const set = Object.entries(metadata).filter(([, value]) => value !== undefined)
  return {
    ...(columns as Omit<Changes, keyof typeof kept>),
    metadata: Object.fromEntries(set) as Record<string, string | boolean | object>,
  }
}
