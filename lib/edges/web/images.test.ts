import { expect, it } from 'vitest'
import { answerBrandImage } from './images'

const button = { serviceName: 'Latchkey', accent: '#4f46e5', accentText: '#ffffff' }

it.each(['login-with-dark.svg', 'icon.svg'])(
  'the image %s can be embedded by any site and cannot run scripts',
  (file) => {
    const answer = answerBrandImage(file, button)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; img-src data:; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
  },
)

it.each(['login-with-pink.svg', 'login-with-constructor.svg', 'login-with-dark.png', 'x'])(
  'a request for the unknown image %s returns 404',
  (file) => {
    expect(answerBrandImage(file, button).status).toBe(404)
  },
)
