import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FactsTable } from './facts-table'

it('the first cell of each row in a facts table is the row’s heading', () => {
  const html = renderToStaticMarkup(
    <FactsTable
      caption="Tokens"
      columns={['Token', 'Lifetime']}
      rows={[
        { id: 'access', cells: ['Access token', 'One hour'] },
        { id: 'id', cells: ['ID token', 'One hour'] },
      ]}
    />,
  )
  const headings = html.matchAll(/<th scope="row"[^>]*>(.*?)<\/th><td[^>]*>(.*?)<\/td>/g)
  expect([...headings].map(([, name, value]) => [name, value])).toEqual([
    ['Access token', 'One hour'],
    ['ID token', 'One hour'],
  ])
})
