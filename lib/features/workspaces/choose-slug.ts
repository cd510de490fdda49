import { randomBytes } from 'node:crypto'
import type { Db } from '@/lib/base/db/prisma'

/** Addresses that pages of the product have below /workspaces. */
export const reservedSlugs = new Set(['new'])

/** Lower case letters, digits and dashes, from a name; "Ådå Löv & Co." becomes "ada-lov-co". */
export const slugFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')

/**
 * The address of a new workspace: its name's when nobody has it, else with a few random characters.
 * Two may still choose the same at the same moment; the unique index then lets one of them try again.
 */
export async function chooseSlug(db: Db, name: string): Promise<string> {
  const wanted = slugFrom(name)
  const free =
    wanted !== '' &&
    !reservedSlugs.has(wanted) &&
    (await db.workspace.count({ where: { slug: wanted } })) === 0
  return free ? wanted : `${wanted || 'workspace'}-${randomBytes(4).toString('hex')}`
}
