import { type ButtonLook, buttonLooks, drawLoginButton, type LoginButton } from '@/lib/brand/login-button'

/**
 * GET /brand/login-with-<look>.svg: the button "Login with <name>" for pages of third parties. It may be shown anywhere,
 * and opened by itself it still may do nothing but be an image. Kept for an hour, so that a new name or colour arrives.
 */
export function answerLoginButton(file: string, button: LoginButton): Response {
  const look = /^login-with-([a-z-]+)\.svg$/.exec(file)?.[1] ?? ''
  if (!Object.hasOwn(buttonLooks, look)) {
    return new Response('There is no such image; /brand lists the ones there are.\n', {
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    })
  }
  return new Response(drawLoginButton(button, look as ButtonLook), {
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
