import { badInput } from '@/lib/base/errors/app-error'
import { pictureLimits } from './limits'

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
    throw refuse('This is no PNG, JPEG or WebP file. Save the picture in one of these formats.')
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
    `The file has ${(bytes / 1024 / 1024).toFixed(1)} MB, and ${pictureLimits.bytes / 1024 / 1024} MB are the limit. Save it smaller.`,
  )

const refuse = (message: string) => badInput('picture', message)

const broken = (): never => {
  throw refuse('The file is damaged or incomplete. Save the picture again and send the new file.')
}

function checkMeasures(width: number, height: number): void {
  const measured = `The picture is ${width} × ${height} pixels`
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  if (width * height > pictureLimits.pixels) {
    throw refuse(`${measured}, which is too large. Save it with at most 4000 pixels a side.`)
  }
  if (short < pictureLimits.side) {
    throw refuse(`${measured}; it needs at least ${pictureLimits.side} a side. Choose one with more of them.`)
  }
  if (long > short * pictureLimits.ratio) {
    throw refuse(`${measured}, which is far from square. Cut it to a square first.`)
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
