import { expect, it } from 'vitest'
import { type Facts, obstacleOf } from './distribute'

const ready: Facts = {
  ...{ extension: true, coordinator: true, workers: 2, rows: true },
  ...{ walLevel: 'logical', decoders: 'pgoutput, citus' },
}

it('finds nothing in the way of a cluster that is set up', () => {
  expect(obstacleOf(ready)).toBeUndefined()
  // Releases of PostgreSQL that ask nobody which library decodes the log.
  expect(obstacleOf({ ...ready, decoders: null })).toBeUndefined()
  // Nothing is copied where there is nothing, so nothing is decoded.
  expect(obstacleOf({ ...ready, rows: false, walLevel: 'replica', decoders: 'pgoutput' })).toBeUndefined()
})

it.each<[Partial<Facts>, RegExp]>([
  [{ extension: false }, /does not have Citus.* CREATE EXTENSION citus/],
  [{ coordinator: false }, /citus_set_coordinator_host/],
  [{ workers: 0 }, /citus_add_node/],
  [{ walLevel: 'replica' }, /wal_level is replica, .* logical/],
  [{ decoders: 'pgoutput, my_citus' }, /add citus to it on every node/],
])('says what is to be done first: %j', (facts, sentence) => {
  expect(obstacleOf({ ...ready, ...facts })).toMatch(sentence)
})
