import { findPicture } from '@/lib/features/pictures/draw-picture'
import { type ButtonLook, buttonLooks, drawLoginButton } from '@/lib/features/pictures/login-button'
import { drawIcon, type Mark } from '@/lib/features/pictures/mark'

/**
 * Handles GET /pictures/:id.webp: returns an uploaded image, or 404 if there is no image with the ID. An
 * image never changes, so browsers can cache it for a year. The Content Security Policy of the response
 * forbids everything except rendering, even though this server encoded the image.
 */
export async function answerPicture(file: string): Promise<Response> {
  const id = /^([0-9a-f-]{36})\.webp$/.exec(file)?.[1]
  const data = id && (await findPicture(id))
  if (!data) {
    return new Response('Image not found.\n', {
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

function draw(file: string, mark: Mark): string | undefined {
  if (file === 'icon.svg') return drawIcon(mark)
  const look = /^login-with-([a-z-]+)\.svg$/.exec(file)?.[1] ?? ''
  return Object.hasOwn(buttonLooks, look) ? drawLoginButton(mark, look as ButtonLook) : undefined
}

/**
 * Handles GET /brand/login-with-<look>.svg, the button "Login with <name>" for third-party pages, and
 * /brand/icon.svg, this instance's icon. Any site can embed these images. Their Content Security Policy
 * forbids everything except rendering. Browsers load an image again after an hour, so that a new name or
 * color soon appears. For up to a day, they can still show the old image while they load the new one.
 */
export function answerBrandImage(file: string, mark: Mark): Response {
  const image = draw(file, mark)
  if (image === undefined) {
    return new Response('Image not found. See /brand for all images.\n', {
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    })
  }
  return new Response(image, {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'content-security-policy': "default-src 'none'; img-src data:; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    },
  })
}
