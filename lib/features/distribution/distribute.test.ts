import { expect, it } from 'vitest'
import { type Facts, obstacleOf } from './distribute'

const ready: Facts = {
  ...{ extension: true, coordinator: true, workers: 2, rows: true },
  ...{ walLevel: 'logical', decoders: 'pgoutput, citus' },
}

it('finds no obstacle in a cluster that is set up', () => {
  expect(obstacleOf(ready)).toBeUndefined()
  // Releases of PostgreSQL without a setting for the library that decodes the log.
  expect(obstacleOf({ ...ready, decoders: null })).toBeUndefined()
  // Without rows, nothing is copied or decoded.
  expect(obstacleOf({ ...ready, rows: false, walLevel: 'replica', decoders: 'pgoutput' })).toBeUndefined()
})

it.each<[Partial<Facts>, RegExp]>([
  [{ extension: false }, /does not have Citus.* CREATE EXTENSION citus/],
  [{ coordinator: false }, /citus_set_coordinator_host/],
  [{ workers: 0 }, /citus_add_node/],
  [{ walLevel: 'replica' }, /wal_level is replica, .* logical/],
  [{ decoders: 'pgoutput, my_citus' }, /add citus to it on every node/],
])('names the first missing requirement: %j', (facts, sentence) => {
  expect(obstacleOf({ ...ready, ...facts })).toMatch(sentence)
})
