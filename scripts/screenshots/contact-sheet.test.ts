import { expect, it } from 'vitest'
import { contactSheet } from './contact-sheet'

it('the contact sheet shows each page once, with light, dark, and phone screenshots side by side', () => {
  const files = ['b/second-light.png', 'a/first-phone.png', 'a/first-dark.png', 'a/first-light.png']
  const html = contactSheet(files)
  expect([...html.matchAll(/<h2>(.*?)<\/h2>/g)].map((match) => match[1])).toEqual(['a/first', 'b/second'])
  expect([...html.matchAll(/src="(.*?)"/g)].map((match) => match[1])).toEqual([
    'a/first-light.png',
    'a/first-dark.png',
    'a/first-phone.png',
    'b/second-light.png',
  ])
})
