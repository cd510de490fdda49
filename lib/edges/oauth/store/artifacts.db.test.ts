import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { saveArtifact, toRow } from './artifacts'

it('saveArtifact rejects a repeated proof until the first one expires by the database’s clock', async () => {
  const row = toRow('ReplayDetection', 'a proof', { iss: 'an app' }, 300)
  await saveArtifact(row)
  await expect(saveArtifact(row)).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
  await pool().query(`UPDATE oauth_artifacts SET expires_at = now() - interval '1 second' WHERE hash = $1`, [
    row.hash,
  ])
  await saveArtifact(row)
  await expect(saveArtifact(row)).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
})
