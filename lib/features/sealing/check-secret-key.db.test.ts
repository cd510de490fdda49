import { expect, it } from 'vitest'
import { seal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { loadKeyRing } from '@/lib/features/signing-keys/key-ring'
import { checkSecretKey } from './check-secret-key'

it('passes on a new database and with the key that everything was sealed with, and stops another in one sentence', async () => {
  await checkSecretKey()
  await loadKeyRing()
  await checkSecretKey()
  await prisma().signingKey.updateMany({
    data: { sealedPrivate: new Uint8Array(seal('{}', Buffer.alloc(32, 7))) },
  })
  await expect(checkSecretKey()).rejects.toThrow(/^SECRET_KEY does not open what is stored .*\.$/)
})
