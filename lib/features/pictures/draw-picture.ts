import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { badInput } from '@/lib/base/errors/app-error'
import type { Actor } from '@/lib/policy/actor'
import { personOf } from '@/lib/policy/authorize'
import { pictureLimits } from './rules'

/** A person's picture is cut to a square; a logo keeps all of itself, on a transparent square. */
export type PictureUse = 'person' | 'logo'

const side = 256

/**
 * Draws a picture anew that somebody sent: a square of 256 pixels as WebP, without whatever else the file held (place and
 * camera, comments, scripts behind the image).
 * @param file the bytes as they were sent; neither their name nor their media type counts
 * @throws AppError BAD_USER_INPUT at `picture`, saying what is wrong with the file and what to do
 */
export async function drawPicture(file: Uint8Array, use: PictureUse): Promise<Uint8Array<ArrayBuffer>> {
  if (file.length === 0) throw refuse('Choose a file first.')
  if (file.length > pictureLimits.bytes) throw refuseSize(file.length)
  if (!isKnownFormat(file)) {
    throw refuse('This is not a PNG, JPEG, or WebP file. Save the image in one of these formats.')
  }
  const { default: sharp } = await import('sharp')
  const open = () => sharp(file, { failOn: 'error', limitInputPixels: pictureLimits.pixels })
  // The header alone says how large it will be; nothing is unpacked before that was looked at.
  const { width, height } = await sharp(file, { limitInputPixels: false }).metadata().catch(broken)
  checkMeasures(width, height)
  const drawn = await open()
    .timeout({ seconds: 10 })
    .autoOrient()
    .resize(side, side, {
      fit: use === 'person' ? 'cover' : 'contain',
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .webp({ quality: 88, alphaQuality: 100, smartSubsample: true })
    .toBuffer()
    .catch(broken)
  return new Uint8Array(drawn)
}

/** The refusal of a file that is too large, which is known before it has been read. */
export const refuseSize = (bytes: number) =>
  refuse(
    `The file has ${(bytes / 1024 / 1024).toFixed(1)} MB, and the limit is ${pictureLimits.bytes / 1024 / 1024} MB. Save a smaller version.`,
  )

const refuse = (message: string) => badInput('picture', message)

const broken = (): never => {
  throw refuse('The file is damaged or incomplete. Save the image again and upload the new file.')
}

function checkMeasures(width: number, height: number): void {
  const measured = `The image has ${width} × ${height} pixels`
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  if (width * height > pictureLimits.pixels) {
    throw refuse(`${measured}, which is too large. Save it with at most 4000 pixels per side.`)
  }
  if (short < pictureLimits.side) {
    throw refuse(`${measured}, which is too small. Use at least ${pictureLimits.side} pixels per side.`)
  }
  if (long > short * pictureLimits.ratio) {
    throw refuse(`${measured}, which is not square. Crop it to a square first.`)
  }
}

/** The formats a browser sends and we draw from, by their first bytes; SVG, which can hold scripts, is none of them. */
function isKnownFormat(file: Uint8Array): boolean {
  const text = (from: number, to: number) => Buffer.from(file.subarray(from, to)).toString('latin1')
  return (
    text(0, 8) === '\x89PNG\r\n\x1a\n' ||
    text(0, 3) === '\xff\xd8\xff' ||
    (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP')
  )
}

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

/** An uploaded picture, as WebP. Pictures are public: apps show them to anybody. @returns undefined where there is none */
export async function findPicture(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!isId(id)) return undefined
  const found = await prisma().picture.findUnique({ where: { id }, select: { data: true } })
  return found?.data
}

const uploads: AttemptLimit = {
  name: 'picture-uploads',
  points: 30,
  seconds: 3600,
  message: 'You have uploaded too many images within an hour. Try again later.',
}

/** Counts an upload before it is looked at: drawing a picture costs more than anything else a form asks for. */
export const countUpload = (actor: Actor): Promise<void> => countAttempt(uploads, personOf(actor))
