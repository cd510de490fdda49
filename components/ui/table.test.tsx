import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Cell, Head, Row, Table } from './table'

const styleOf = (head: React.ReactNode) => {
  const html = renderToStaticMarkup(
    <Table caption="Numbers" head={head}>
      <Row>
        <Cell>1</Cell>
      </Row>
    </Table>,
  )
  return /style="(.*?)"/.exec(html)?.[1]?.replaceAll('&quot;', '"')
}

it('on phones, a table repeats the column names in the block of each row, in the order of the cells', () => {
  const more = ['Last used', 'Expires'].map((name) => <Head key={name}>{name}</Head>)
  expect(
    styleOf(
      <>
        <Head>Token</Head>
        {false}
        {more}
        <Head srOnly>Actions</Head>
      </>,
    ),
  ).toBe('--column-1:"Token";--column-2:"Last used";--column-3:"Expires";--column-4:none')
  expect(styleOf(more)).toBe('--column-1:"Last used";--column-2:"Expires"')
})
