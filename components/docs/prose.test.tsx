import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Code, SchemaText } from './prose'

it.each([
  ['Returns the first _n_ items.', 'Returns the first <em>n</em> items.'],
  ['With `_id_`, or a_b_c and _x.', 'With <code>_id_</code>, or a_b_c and _x.'],
])('shows the Markdown of a description: %s', (text, html) => {
  expect(renderToStaticMarkup(<SchemaText text={text} />).replace(/ class="[^"]*"/g, '')).toBe(html)
})

it.each([
  ['npm install openid-client', 'npm install openid-client'],
  [
    'http://localhost:3000/oauth/.well-known/openapi.json',
    'http://<wbr/>localhost:3000/<wbr/>oauth/<wbr/>.well-known/<wbr/>openapi.<wbr/>json',
  ],
  ['backchannel_logout_session_required', 'backchannel_<wbr/>logout_<wbr/>session_<wbr/>required'],
])('lets only long code wrap, after separators: %s', (text, html) => {
  const shown = renderToStaticMarkup(<Code>{text}</Code>)
  expect(shown.replace(/<\/?code[^>]*>/g, '')).toBe(html)
  expect(shown.includes('whitespace-nowrap')).toBe(!html.includes('<wbr/>'))
})
