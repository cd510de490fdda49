import { prisma } from '@/lib/base/db/prisma'
import { isId } from '@/lib/policy/require'

/** An uploaded picture, as WebP. Pictures are public: apps show them to anybody. @returns undefined where there is none */
export async function findPicture(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!isId(id)) return undefined
  const found = await prisma().picture.findUnique({ where: { id }, select: { data: true } })
  return found?.data
}
