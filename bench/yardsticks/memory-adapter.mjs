// oidc-provider's memory adapter keeps 1,000 entries, too few for a benchmark. This adapter uses a Map
// without a limit.
const store = new Map()
const byGrant = new Map()
const byUserCode = new Map()

export class MemoryAdapter {
  constructor(model) {
    this.model = model
  }
  key(id) {
    return `${this.model}:${id}`
  }
  async upsert(id, payload, expiresIn) {
    const key = this.key(id)
    if (payload.userCode) byUserCode.set(payload.userCode, id)
    if (payload.grantId) {
      const keys = byGrant.get(payload.grantId)
      if (keys) keys.push(key)
      else byGrant.set(payload.grantId, [key])
    }
    store.set(key, { payload, expires: expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY })
  }
  async find(id) {
    const entry = store.get(this.key(id))
    return entry && entry.expires > Date.now() ? entry.payload : undefined
  }
  async findByUserCode(code) {
    return this.find(byUserCode.get(code))
  }
  async findByUid() {
    return undefined
  }
  async consume(id) {
    store.get(this.key(id)).payload.consumed = Math.floor(Date.now() / 1000)
  }
  async destroy(id) {
    store.delete(this.key(id))
  }
  async revokeByGrantId(grantId) {
    for (const key of byGrant.get(grantId) ?? []) store.delete(key)
    byGrant.delete(grantId)
  }
}
