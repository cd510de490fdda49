import { createHash } from 'node:crypto'
import fs from 'node:fs'
import * as lucide from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import * as icons from './icon'

const license = fs.readFileSync('node_modules/lucide-react/LICENSE', 'utf8').replaceAll('---', '***').trim()

const lucideIcons = { ...lucide } as unknown as Record<string, lucide.LucideIcon>

const drawingOf = (name: string) =>
  renderToStaticMarkup(createElement(lucideIcons[name] as lucide.LucideIcon))
    .replace(/^<svg[^>]*>/, `<symbol id="${name}" viewBox="0 0 24 24">`)
    .replace('</svg>', '</symbol>')
    .replace(/><\/(?:path|circle|rect|line|polyline|ellipse|polygon)>/g, '/>')

it('public/icons.svg contains the drawing of each icon, and its URL changes with its content', async () => {
  const { sprite, ...used } = icons
  const file = `<svg xmlns="http://www.w3.org/2000/svg">\n${[`<!--\n${license}\n-->`, ...Object.keys(used).map(drawingOf)].join('\n')}\n</svg>\n`
  await expect(file).toMatchFileSnapshot('../../public/icons.svg')
  expect(sprite).toBe(`/icons.svg?v=${createHash('sha256').update(file).digest('hex').slice(0, 8)}`)
})
