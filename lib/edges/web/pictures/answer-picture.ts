import { findPicture } from '@/lib/features/pictures/draw-picture'

/**
 * GET /pictures/:id.webp: an uploaded picture. What it shows never changes, so it is kept for good; it is drawn by us, and
 * still may do nothing but be an image, on whatever page shows it.
 */
export async function answerPicture(file: string): Promise<Response> {
  const id = /^([0-9a-f-]{36})\.webp$/.exec(file)?.[1]
  const data = id && (await findPicture(id))
  if (!data) {
    return new Response('There is no such picture.\n', {
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    })
  }
  return new Response(data, {
    headers: {
      'content-type': 'image/webp',
      'content-length': String(data.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}
