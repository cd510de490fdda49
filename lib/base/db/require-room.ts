import { AppError } from '@/lib/base/errors/app-error'
import type { Db } from './prisma'

/** What something belongs to, and how many of its kind that may have. */
export type Room = {
  of: { table: 'users' | 'workspaces' | 'projects'; id: string }
  most: number
  message: string
}

/**
 * Refuses one more of a kind where there are as many as there may be. The owner's row is locked until the transaction
 * ends, so that two requests at once cannot both count the last free place.
 * @param count how many there are
 * @throws AppError CONFLICT with the message, which says how to make room
 */
export async function requireRoom(
  tx: Db,
  { of, most, message }: Room,
  count: () => Promise<number>,
): Promise<void> {
  await tx.$queryRawUnsafe(`SELECT id FROM ${of.table} WHERE id = $1::uuid FOR NO KEY UPDATE`, of.id)
  if ((await count()) >= most) throw new AppError('CONFLICT', message)
}
