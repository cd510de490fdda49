import pLimit from 'p-limit'
import { type AttemptLimit, countAttempt, refundIfBusy } from '@/lib/base/db/limits'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { remember } from '@/lib/base/process/remember'
import type { Actor } from '@/lib/policy/actor'
import { userOf } from '@/lib/policy/authorize'
import { pictureLimits } from './rules'

/**
 * The use of an image. A user's avatar is cropped to a square. A logo is fitted into a transparent square.
 */
export type PictureUse = 'user' | 'logo'

const side = 256

/**
 * The maximum number of images that wait to be re-encoded. Each can wait for a few seconds per image before
 * it.
 */
const mostWaiting = 16

/**
 * Returns this process's limiter, which re-encodes one image at a time. Each image occupies a thread of the
 * pool that signs tokens and hashes passwords, and up to about 100 MB of memory.
 */
const limit = () => remember('picture-drawing', () => pLimit(1))

/**
 * Re-encodes an uploaded image as a WebP square with sides of 256 pixels. Removes all other content of the
 * file: metadata, comments, and data after the image.
 * @param file the bytes of the uploaded file
 * @throws AppError BAD_USER_INPUT on `picture`, with the problem and how to fix it, and SERVICE_UNAVAILABLE
 * if too many images are waiting
 */
export async function drawPicture(file: Uint8Array, use: PictureUse): Promise<Uint8Array<ArrayBuffer>> {
  if (file.length === 0) throw refuse('Choose a file first.')
  if (file.length > pictureLimits.bytes) throw refuseSize(file.length)
  if (!isKnownFormat(file)) {
    throw refuse('This is not a PNG, JPEG, or WebP file. Save the image in one of these formats.')
  }
  if (limit().pendingCount >= mostWaiting) {
    const message = 'Too many images are being uploaded. Try again in a few seconds.'
    throw new AppError('SERVICE_UNAVAILABLE', message, { retryAfter: outageRetrySeconds })
  }
  return limit()(() => redraw(file, use))
}

async function redraw(file: Uint8Array, use: PictureUse): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp')
  const open = () => sharp(file, { failOn: 'error', limitInputPixels: pictureLimits.pixels })
  // Read the dimensions from the header and check them before decompressing the image, because decompressing
  // even a small file can use a lot of memory.
  const { width, height } = await sharp(file, { limitInputPixels: false }).metadata().catch(broken)
  checkMeasures(width, height)
  const drawn = await open()
    .timeout({ seconds: 10 })
    .autoOrient()
    .resize(side, side, {
      fit: use === 'user' ? 'cover' : 'contain',
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .webp({ quality: 88, alphaQuality: 100, smartSubsample: true })
    .toBuffer()
    .catch(broken)
  return new Uint8Array(drawn)
}

/**
 * Returns the error for a file that is too large. Callers can also use this error if they stop reading a file
 * that is too large.
 */
export const refuseSize = (bytes: number) =>
  refuse(
    `The file is ${(bytes / 1024 / 1024).toFixed(1)} MB, but the limit is ${pictureLimits.bytes / 1024 / 1024} MB. Save a smaller version.`,
  )

const refuse = (message: string) => badInput('picture', message)

const broken = (): never => {
  throw refuse('The file is damaged or incomplete. Save the image again and upload the new file.')
}

function checkMeasures(width: number, height: number): void {
  const measured = `The image is ${width} × ${height} pixels`
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

/**
 * Returns whether the first bytes of a file identify a supported format. SVG is not supported because it can
 * contain scripts.
 */
function isKnownFormat(file: Uint8Array): boolean {
  const text = (from: number, to: number) => Buffer.from(file.subarray(from, to)).toString('latin1')
  return (
    text(0, 8) === '\x89PNG\r\n\x1a\n' ||
    text(0, 3) === '\xff\xd8\xff' ||
    (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP')
  )
}

/**
 * The owner and use of an image: a user's avatar, an app's logo for light or dark pages, or an API's logo.
 */
export type PictureOwner =
  | { userId: string }
  | { clientId: string }
  | { darkClientId: string }
  | { apiId: string }

/**
 * Stores an image and deletes the owner's previous image, if any. Before you call this function, update the
 * owner's row in the same transaction, so that concurrent uploads are serialized.
 * @param id the ID of the new image, whose path is `picturePath(id)`
 * @param data the result of `drawPicture`
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

/**
 * Returns an uploaded image as WebP. No permission is required, because apps show these images on their own
 * pages.
 * @returns undefined if there is no image with this ID
 */
export async function findPicture(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!isId(id)) return undefined
  const found = await prisma().picture.findUnique({ where: { id }, select: { data: true } })
  return found?.data
}

const uploads: AttemptLimit = {
  name: 'picture-uploads',
  points: 30,
  seconds: 3600,
  message: 'You have uploaded too many images. Try again in an hour.',
}

/**
 * Re-encodes an image that a user uploads (`drawPicture`), and counts the upload toward the user's rate
 * limit. Failed uploads also count, because reading an image uses much CPU time.
 * @throws AppError RATE_LIMITED if the limit is exceeded, and the errors of `drawPicture`
 */
export async function drawUpload(actor: Actor, file: Uint8Array, use: PictureUse) {
  const user = userOf(actor)
  await countAttempt(uploads, user)
  return refundIfBusy([[uploads, user]], () => drawPicture(file, use))
}
