import { defaultPageSize, maxPageSize } from '@/lib/base/db/keyset'
import { charactersPerPoint, listSizes, points, wholeLists } from '@/lib/edges/graphql/limits/check-cost'
import { FactsTable } from './facts-table'
import { Bullets, Code, P } from './prose'

const example = { size: 20, fields: 2 }
const row = 2 * points.object + example.fields * points.scalar

/** How the points of a query and of an answer are counted, from the table that counts them. */
export const PointPrices = () => (
  <>
    <Bullets>
      <li>
        An object is {points.object} points, a scalar {points.scalar}. What is in a list counts once for each
        of its rows, so lists in lists multiply. Fragments count where they are spread.
      </li>
      <li>
        A connection has as many rows as <Code>first</Code> or <Code>last</Code> say, {defaultPageSize} when
        neither does. A list without pages counts as {maxPageSize} rows, whatever is in it, except for those
        below.
      </li>
      <li>
        <Code>__schema</Code> is {points.schema.toLocaleString('en-GB')} points, <Code>__type</Code>{' '}
        {points.type}.
      </li>
      {[...wholeLists].map((field) => (
        <li key={field}>
          <Code>{field}</Code> is {points.whole.toLocaleString('en-GB')} points beside its page: all of it is
          read for any page.
        </li>
      ))}
      <li>
        An answer is counted the same way by the rows that are there, and a text is a point more for every{' '}
        {charactersPerPoint} characters. A field that fails is {points.error} points, as its error is in the
        answer, and {points.place} more for each further place of the query that asks for it.
      </li>
    </Bullets>
    <P>
      <Code>{`{ projects(first: ${example.size}) { edges { node { id name } } } }`}</Code> costs{' '}
      {points.object + example.size * row} points: {points.object} for the connection, and {example.size}{' '}
      times {row} for an edge, its node and two scalars.
    </P>
    <FactsTable
      caption="Lists that are priced for other sizes"
      columns={['List', 'Rows, unless the query says']}
      rows={Object.entries(listSizes).map(([field, rows]) => ({
        id: field.toLowerCase().replace('.', '-'),
        cells: [<Code key="field">{field}</Code>, String(rows)],
      }))}
    />
  </>
)
