import { drawIcon, type Mark } from '@/lib/features/pictures/mark'

const pixels = 32

/** GET /favicon.ico: the service's mark for whoever does not read the page's own icon. An ICO that holds one PNG. */
export async function answerFavicon(mark: Mark): Promise<Response> {
  const { default: sharp } = await import('sharp')
  const png = await sharp(Buffer.from(drawIcon(mark)), { density: 144 })
    .resize(pixels, pixels)
    .png()
    .toBuffer()
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2) // an icon
  header.writeUInt16LE(1, 4) // one image
  header.writeUInt8(pixels, 6)
  header.writeUInt8(pixels, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return new Response(new Uint8Array(Buffer.concat([header, png])), {
    headers: { 'content-type': 'image/x-icon', 'cache-control': 'public, max-age=3600' },
  })
}
