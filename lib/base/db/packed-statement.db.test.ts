import { expect, it } from 'vitest'
import { packedStatement } from './packed-statement'

type Row = {
  text: string | null
  list: string[]
  number: number
  flag: boolean
  object: object
  bytes: string
}

const read = packedStatement<Row, [string | null]>(
  'packed-statement-test',
  {
    text: '$1::text',
    list: `ARRAY[$1::text, 'b']`,
    number: '1.5',
    flag: '$1 IS NULL',
    object: `'{"a": [1]}'::jsonb`,
    bytes: `encode('\\x01ff'::bytea, 'hex')`,
  },
  'FROM generate_series(1, 2)',
)

it('gives each column its name and its type back', async () => {
  const row = {
    text: 'x"\n',
    list: ['x"\n', 'b'],
    number: 1.5,
    flag: false,
    object: { a: [1] },
    bytes: '01ff',
  }
  expect(await read('x"\n')).toEqual([row, row])
  expect((await read(null))[0]).toMatchObject({ text: null, list: [null, 'b'], flag: true })
})
