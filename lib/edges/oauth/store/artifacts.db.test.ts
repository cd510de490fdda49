import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { saveArtifact, toRow } from './artifacts'

it('saveArtifact stores a proof for as long as it is valid by the database’s clock', async () => {
  const row = toRow('ReplayDetection', 'a proof', { iss: 'an app' }, 300)
  await saveArtifact(row)
  await expect(saveArtifact(row)).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
  await pool().query(`UPDATE oauth_artifacts SET expires_at = now() - interval '1 second' WHERE hash = $1`, [
    row.hash,
  ])
  await saveArtifact(row)
  await expect(saveArtifact(row)).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
})
