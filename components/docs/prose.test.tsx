import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { SchemaText } from './prose'

it.each([
  ['Returns the first _n_ items.', 'Returns the first <em>n</em> items.'],
  ['With `_id_`, or a_b_c and _x.', 'With <code>_id_</code>, or a_b_c and _x.'],
])('shows the Markdown of a description: %s', (text, html) => {
  expect(renderToStaticMarkup(<SchemaText text={text} />).replace(/ class="[^"]*"/g, '')).toBe(html)
})
