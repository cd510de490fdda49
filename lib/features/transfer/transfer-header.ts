import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { derivedKeys } from '@/lib/base/credentials/seal'
import { migrationNames } from '@/lib/generated/migration-names'

/** The first line of an export. */
const header = z.object({
  format: z.literal('latchkey-export'),
  version: z.literal(1),
  /** The newest migration of the release that wrote it. */
  schema: z.string(),
  created: z.string(),
  /** Tells whether a SECRET_KEY is the one that sealed what is in it, and nothing else. */
  key: z.string(),
})

/** Names a key without telling it. */
const nameOf = (key: Buffer) => createHmac('sha256', key).update('latchkey export').digest('base64url')

const keyNames = () => derivedKeys('export').map(nameOf)

/** The header of an export made now. */
export const newHeader = (): z.infer<typeof header> => ({
  format: 'latchkey-export',
  version: 1,
  schema: migrationNames.at(-1) as string,
  created: new Date().toISOString(),
  key: keyNames()[0] as string,
})

/** Returns whether a line is the header of an export of Latchkey, of whatever release. */
export const isExport = (line: string): boolean =>
  header.pick({ format: true }).safeParse(jsonOf(line)).success

/**
 * Reads the first line of an export.
 * @returns whether SECRET_KEY sealed what is in it; otherwise one of SECRET_KEY_PREVIOUS did
 * @throws Error with one sentence when this release cannot take it, or has not its key
 */
export function readHeader(line: string): { underPresentKey: boolean } {
  const parsed = header.safeParse(jsonOf(line))
  if (!parsed.success) throw new Error('This is no export of Latchkey: the first line is not its header.')
  const { schema, key } = parsed.data
  if (!migrationNames.includes(schema)) {
    throw new Error(
      `A newer release made this export (${schema}); import it with that release or one after it.`,
    )
  }
  const index = keyNames().indexOf(key)
  if (index < 0) {
    throw new Error(
      'What is in this export was sealed with another SECRET_KEY; put that one into SECRET_KEY_PREVIOUS, import, and run `latchkey reseal`.',
    )
  }
  return { underPresentKey: index === 0 }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
