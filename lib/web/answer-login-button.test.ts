import { expect, it } from 'vitest'
import { answerLoginButton } from './answer-login-button'

const button = { serviceName: 'Latchkey', accent: '#4f46e5', accentText: '#ffffff' }

it('answers an image that any site may show and that may do nothing', () => {
  const answer = answerLoginButton('login-with-dark.svg', button)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; img-src data:; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
})

it.each(['login-with-pink.svg', 'login-with-constructor.svg', 'login-with-dark.png', 'x'])(
  'knows no %s',
  (file) => {
    expect(answerLoginButton(file, button).status).toBe(404)
  },
)
