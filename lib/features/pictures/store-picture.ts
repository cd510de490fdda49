import type { Db } from '@/lib/base/db/prisma'

/** Whose picture it is: a person, or an app whose logo it is, or whose logo for dark pages. */
export type PictureOwner = { userId: string } | { clientId: string } | { darkClientId: string }

/**
 * Puts a picture in the place of the one its owner had. Change the owner's row in the same transaction before, which keeps
 * two uploads at once apart.
 * @param id of the new picture; its address is `picturePath(id)`
 * @param data as `drawPicture` made it
 */
export async function storePicture(
  db: Db,
  owner: PictureOwner,
  id: string,
  data: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await db.picture.deleteMany({ where: owner })
  await db.picture.create({ data: { ...owner, id, data } })
}
