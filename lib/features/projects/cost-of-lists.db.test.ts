import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { loadStatements } from '@/lib/testing/load-statements'

/** Uses large tables, because PostgreSQL scans a small table even if it has a suitable index. */
it('lists look up a user’s workspaces and projects by key instead of scanning whole tables', async () => {
  const user = await makeUser()
  const workspace = await makeWorkspace([[user, 'ADMIN']])
  await makeProject(workspace)
  await pool().query(`WITH others AS (
      INSERT INTO workspaces (id, name, slug, updated_at)
      SELECT gen_random_uuid(), 'Other', 'other-' || n, now() FROM generate_series(1, 10000) n RETURNING id)
    INSERT INTO projects (id, workspace_id, name, updated_at) SELECT gen_random_uuid(), id, 'Other', now() FROM others`)
  // One user has roles in 100 individual projects, so PostgreSQL estimates that every user has as many
  // workspaces.
  await pool().query(
    `INSERT INTO project_members (project_id, user_id, role)
     SELECT id, $1, 'VIEWER' FROM projects WHERE name = 'Other' LIMIT 100`,
    [user.id],
  )
  await pool().query('ANALYZE workspaces, projects, workspace_members, project_members')

  const ends = "'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'"
  const valuesOf = {
    'list-all-projects-forward': `'${user.id}', false, NULL, NULL, NULL, NULL, ${ends}, 51`,
    'count-projects': `'${user.id}', false, NULL, NULL, NULL, NULL, NULL, NULL`,
    'count-projects-of': `'${user.id}', false, NULL, NULL, NULL, NULL, '{${workspace.id}}'`,
    'find-projects': `'${user.id}', false, NULL, NULL, NULL, NULL, '{}', 20`,
    'search-names': `'${user.id}', false, NULL, NULL, NULL, NULL, NULL, '{}', '{}', '{}', '{}', '{%a%}', 'a', '', 11`,
    'list-reachable-workspaces': `'${user.id}'`,
    'list-opened-workspaces': `'${user.id}', '{other-1}', 12`,
    'search-workspaces': `'${user.id}', '', 25, 0`,
  }
  const texts = new Map(await loadStatements())
  const client = await pool().connect()
  try {
    for (const [name, values] of Object.entries(valuesOf)) {
      await client.query(`PREPARE "${name}-explained" AS ${texts.get(name)?.[0]}`)
      const { rows } = await client.query(`EXPLAIN EXECUTE "${name}-explained"(${values})`)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan, name).toMatch(/Index/)
      expect(plan, name).not.toMatch(/Seq Scan on (workspaces|projects)\b/)
    }
  } finally {
    client.release()
  }
})
