import { expect, it } from 'vitest'
import { type Facts, obstacleOf } from './distribute'

const ready: Facts = {
  ...{ extension: true, coordinator: true, workers: 2, rows: true },
  ...{ walLevel: 'logical', decoders: 'pgoutput, citus' },
}

it('obstacleOf returns undefined for a cluster that is set up correctly', () => {
  expect(obstacleOf(ready)).toBeUndefined()
  // Some PostgreSQL releases have no setting that lists the logical decoding libraries.
  expect(obstacleOf({ ...ready, decoders: null })).toBeUndefined()
  // If there are no rows, no rows are copied and logical decoding is not required.
  expect(obstacleOf({ ...ready, rows: false, walLevel: 'replica', decoders: 'pgoutput' })).toBeUndefined()
})

it.each<[Partial<Facts>, RegExp]>([
  [{ extension: false }, /does not have Citus.* CREATE EXTENSION citus/],
  [{ coordinator: false }, /citus_set_coordinator_host/],
  [{ workers: 0 }, /citus_add_node/],
  [{ walLevel: 'replica' }, /wal_level is replica, .* logical/],
  [{ decoders: 'pgoutput, my_citus' }, /Add citus to it on every node/],
])('obstacleOf names the missing requirement: %j', (facts, sentence) => {
  expect(obstacleOf({ ...ready, ...facts })).toMatch(sentence)
})
