import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ScopeRows } from './scope-rows'

const lines = [
  'parcels:read | NOTHING | LOW | See your parcels',
  'parcels:write | PROJECTS | HIGH | Send parcels',
  'parcels:track | WORKSPACES | ELEVATED | ',
].join('\n')

/** Returns for each row whether its editor is open, and the names of the row's invalid fields. */
function draw(error?: string, text = lines): [open: boolean, ...invalid: string[]][] {
  const html = renderToStaticMarkup(<ScopeRows lines={text} error={error} />)
  return html
    .split('<details')
    .slice(1)
    .map((row) => [
      /^[^>]*\sopen=""/.test(row),
      ...[...row.matchAll(/<input[^>]*aria-label="([^"]*)" aria-invalid="true"/g)].map(([, name]) =>
        String(name),
      ),
    ])
}

it('the rows of saved scopes are closed and show each scope', () => {
  expect(draw()).toEqual([[false], [false], [false]])
  const html = renderToStaticMarkup(<ScopeRows lines={lines} error={undefined} />)
  const [, second] = [...html.matchAll(/<summary.*?<\/summary>/g)].map(([summary]) =>
    summary.replaceAll(/<svg.*?<\/svg>/g, '').replaceAll(/<[^>]*>/g, ' '),
  )
  expect(second?.split(/\s+/).filter(Boolean)).toEqual([
    'parcels:write',
    'Send',
    'parcels',
    'Projects',
    'High',
  ])
})

it('the row of a new scope is open', () => {
  expect(draw(undefined, '')).toEqual([[true]])
})

it('an error opens the rows whose name it quotes, or the first row without a name or description', () => {
  expect(draw('“parcels:write” is reserved.')).toEqual([[false], [true, 'Name of scope 2'], [false]])
  expect(draw('“parcels” is listed twice.')).toEqual([[false], [false], [true, 'Description of scope 3']])
  expect(draw('Enter the sentence that users see for each scope.')).toEqual([
    [false],
    [false],
    [true, 'Description of scope 3'],
  ])
  expect(draw('Add at least one scope.', '')).toEqual([[true, 'Name of scope 1']])
  const long = 'x'.repeat(70)
  expect(
    draw(`Use at most 64 characters in “${long.slice(0, 64)}…”.`, `a:b | | | A\n${long} | | | B`),
  ).toEqual([[false], [true, 'Name of scope 2']])
})

it('an error about the number of scopes opens no row and is shown below the list', () => {
  const [one = '', two = ''] = lines.split('\n')
  const html = renderToStaticMarkup(<ScopeRows lines={`${one}\n${two}`} error="Use at most 50 scopes." />)
  expect(draw('Use at most 50 scopes.', `${one}\n${two}`)).toEqual([[false], [false]])
  expect(html).toMatch(/<\/ul>.*Use at most 50 scopes\./s)
})
