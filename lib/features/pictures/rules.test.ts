import { expect, it } from 'vitest'
import { ownPicture } from './rules'

it.each(['/pictures/0192f0c1-0000-7000-8000-000000000000.webp', 'data:image/webp;base64,AAAA'])(
  'ownPicture returns the picture URL %j unchanged',
  (stored) => {
    expect(ownPicture(stored)).toBe(stored)
  },
)

it.each([
  'https://tracker.example/pixel.png',
  'http://tracker.example/pictures/a.webp',
  '//tracker.example/pictures/a.webp',
  '/logout',
  '/pictures/../logout?.webp',
  'data:image/svg+xml;base64,AAAA',
  'javascript:alert(1)',
  '',
  null,
  undefined,
])('ownPicture returns undefined for the picture URL %j', (stored) => {
  expect(ownPicture(stored)).toBeUndefined()
})
