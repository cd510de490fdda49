// A minimal oidc-provider adapter, which stores all models in one table and accesses the table through the
// Prisma client.
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import { databaseUrl } from './common.mjs'

const { PrismaClient } = createRequire(import.meta.url)('./generated')
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl, max: 10 }) })

export const findUser = (id) => prisma.appUser.findUnique({ where: { id } })

function payloadOf(row) {
  if (!row || (row.expiresAt && row.expiresAt < new Date())) return undefined
  return row.consumedAt ? { ...row.payload, consumed: Math.floor(row.consumedAt / 1000) } : row.payload
}

export class PrismaAdapter {
  constructor(type) {
    this.type = type
  }
  at(id) {
    return { id_type: { id, type: this.type } }
  }
  async upsert(id, payload, expiresIn) {
    const { grantId = null, userCode = null, uid = null } = payload
    const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null
    const data = { payload, grantId, userCode, uid, expiresAt }
    await prisma.oidcModel.upsert({
      where: this.at(id),
      update: data,
      create: { id, type: this.type, ...data },
    })
  }
  async find(id) {
    return payloadOf(await prisma.oidcModel.findUnique({ where: this.at(id) }))
  }
  async findByUid(uid) {
    return payloadOf(await prisma.oidcModel.findUnique({ where: { uid } }))
  }
  async findByUserCode(userCode) {
    return payloadOf(await prisma.oidcModel.findFirst({ where: { userCode } }))
  }
  async consume(id) {
    await prisma.oidcModel.update({ where: this.at(id), data: { consumedAt: new Date() } })
  }
  async destroy(id) {
    await prisma.oidcModel.delete({ where: this.at(id) })
  }
  async revokeByGrantId(grantId) {
    await prisma.oidcModel.deleteMany({ where: { grantId } })
  }
}
