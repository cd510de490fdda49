import { expect, it } from 'vitest'
import { kindOfStatement } from './kind-of-statement'

it.each([
  ['SELECT "public"."users"."id" FROM "public"."users" WHERE 1=1', 'read'],
  ['  select s.id, s.updated_at from sessions s', 'read'],
  ['WITH seen AS (SELECT 1) SELECT * FROM seen', 'read'],
  ['SELECT deleted_at FROM t', 'read'],
  ['SELECT id FROM users WHERE id = $1::uuid FOR NO KEY UPDATE', 'other'],
  ['SELECT id FROM t FOR UPDATE SKIP LOCKED', 'other'],
  ['SELECT id FROM t FOR SHARE', 'other'],
  ['SELECT pg_advisory_xact_lock(1)', 'other'],
  ["SELECT set_config('a', 'b', true)", 'other'],
  ['UPDATE "public"."sessions" SET "revoked_at" = $1', 'write'],
  ['DELETE FROM t', 'write'],
  ['INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING', 'write'],
  ['WITH gone AS (DELETE FROM t RETURNING 1) SELECT * FROM gone', 'write'],
  ['WITH changed AS (UPDATE t SET a = 1 RETURNING 1) SELECT * FROM changed', 'write'],
  ["UPDATE pgboss.job SET state = 'active'", 'other'],
  ['BEGIN ISOLATION LEVEL SERIALIZABLE', 'begin'],
  ['START TRANSACTION', 'begin'],
  ['COMMIT', 'commit'],
  ['ROLLBACK', 'rollback'],
  ['ROLLBACK TO SAVEPOINT a', 'other'],
  ['SET LOCAL statement_timeout = 1', 'other'],
])('%s: %s', (text, kind) => {
  expect(kindOfStatement(text)).toBe(kind)
})
