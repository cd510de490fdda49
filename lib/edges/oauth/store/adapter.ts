import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { type CredentialKind, credentialKind, hashCredential } from '@/lib/base/credentials/tokens'
import { isId } from '@/lib/base/db/prisma'
import { installationNamed } from '@/lib/features/app-access/installations'
import { appTokenNow, type ManagedGrant } from '@/lib/policy/app-grants'
import { coversService, foreignResources } from '../protocol/routes'
import { loadAuthorization, toGrantPayload } from './account'
import { grantedResources } from './api-access'
import {
  type ArtifactWrite,
  consumeArtifact,
  deleteArtifact,
  findArtifact,
  findByUid,
  hashHex,
  type Payload,
  saveArtifact,
  toPayload,
  toRow,
} from './artifacts'
import { deleteClient, findClientRow, saveClient, toClientMetadata } from './clients'
import { limitPending } from './limit-pending'
import { checkPollingPace } from './poll-device-code'
import { currentUnit, type RequestUnit } from './request-unit'
import { type ArtifactRow, isCutOff } from './snapshot'

/** Models for which the first lookup loads everything that the request needs. */
const primed = new Set(['AccessToken', 'RefreshToken', 'AuthorizationCode', 'DeviceCode'])

/**
 * Returns the storage of oidc-provider for a model. `find` uses the request's snapshot if possible. At POST
 * /oauth/token, the writes of codes and user tokens are collected and committed at the end
 * (commit-token-request). Other artifacts are read and written immediately, with one prepared statement each.
 * An access token is stored with the sign-in methods (`amr`, RFC 8176) of the code or token for which it is
 * issued, because oidc-provider omits them. At other endpoints, `limitPending` runs before each write.
 * @param model the name of the model in oidc-provider
 */
export function storageFor(model: string): Adapter {
  if (model === 'Client') return clients
  if (model === 'Grant') return grants
  return artifactsOf(model)
}

const clients: Adapter = {
  ...unsupported('Client'),
  async find(id) {
    const row = await findClientRow(id)
    return row && (toClientMetadata(row) as AdapterPayload)
  },
  upsert: (id, payload) => saveClient(id, payload as Payload),
  destroy: (id) => deleteClient(id),
}

const grants: Adapter = {
  ...unsupported('Grant'),
  async find(id) {
    const known = currentUnit()?.snapshot?.authorization
    const row = known?.id === id ? known : isId(id) ? await loadAuthorization(id) : undefined
    if (!row) return undefined
    const foreign = foreignResources(currentUnit()?.snapshot?.artifact?.payload ?? {})
    const payload = toGrantPayload(row)
    if (foreign.length === 0) return payload as AdapterPayload
    const resources = { ...(payload.resources as object), ...(await grantedResources(row.id, foreign)) }
    return { ...payload, resources } as AdapterPayload
  },
  /**
   * Sets `endIssued` instead of deleting the grant. oidc-provider calls this method when a code or refresh
   * token is used again. The function `endIssued` (commit-token-request) decides what to delete.
   */
  async destroy() {
    const unit = currentUnit()
    if (unit) unit.endIssued = true
  },
}

function artifactsOf(model: string): Adapter {
  return {
    find(id) {
      const unit = currentUnit()
      return unit && primed.has(model) ? findPrimed(unit, model, id) : findStored(model, id)
    },
    async findByUid(uid) {
      const [row] = await findByUid(uid, model)
      return row && (toPayload(row, hashHex(row.hash)) as AdapterPayload)
    },
    // Find nothing, because the device pages look up user codes themselves (interaction/device-request).
    findByUserCode: async () => undefined,
    async upsert(id, payload, expiresIn) {
      const row = toRow(model, id, payload as Payload, expiresIn)
      const unit = currentUnit()
      if (unit && !unit.collects) await limitPending()
      if (unit?.collects && primed.has(model)) {
        const source = unit.snapshot?.artifact
        if (model === 'AccessToken') row.payload.amr = source?.payload.amr
        unit.inserts.push({ ...row, family: source?.family ?? null })
      } else await saveArtifact(model === 'ClientCredentials' ? withGrant(row, unit) : row)
    },
    async consume(id) {
      const unit = currentUnit()
      if (unit?.collects) unit.consumed = true
      else if ((await consumeArtifact(hashCredential(id))).length === 0) {
        throw new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used')
      }
    },
    async destroy(id) {
      const unit = currentUnit()
      if (!unit?.collects) await deleteArtifact(hashCredential(id))
    },
    async revokeByGrantId() {
      const unit = currentUnit()
      if (unit) unit.endIssued = true
    },
  }
}

async function findStored(model: string, id: string) {
  // Skip the lookup of a JWT's ID, because the later insert detects whether the ID was used before.
  if (model === 'ReplayDetection') return
  // oidc-provider also looks up every token as a client-credentials token. If the token is of another kind,
  // skip the query, which would find nothing.
  if (model === 'ClientCredentials' && !ownTokens.has(credentialKind(id))) return
  const [row] = await findArtifact(hashCredential(id), model)
  const payload = row && toPayload(row, id)
  const isGiven = model === 'ClientCredentials' && !isRevoking()
  return (isGiven && payload ? asGranted(payload) : payload) as AdapterPayload
}

/**
 * Returns whether the request revokes a token. A token can be revoked even while it has no access (RFC 7009),
 * for example while the user is suspended. If that were impossible, the token would become valid again after
 * the suspension.
 */
const isRevoking = () => currentUnit()?.route === 'revocation'

const ownTokens = new Set<CredentialKind | undefined>(['installationToken', 'managedToken'])

/**
 * Returns the row with the request's SSO-managed access in its payload: the access, the user, the issuer, and
 * the sign-in methods. Returns the row unchanged if the token is not SSO-managed.
 */
const withGrant = (row: ArtifactWrite, unit: RequestUnit | undefined): ArtifactWrite =>
  unit?.managed ? { ...row, payload: { ...row.payload, managed: unit.managed } } : row

/**
 * Returns the payload of a token that was issued without user consent, with its current scopes
 * (lib/policy/app-grants). A token that represents only the app keeps its scopes. For the token of an
 * SSO-managed app, the payload also contains the user's ID as `sub`. Returns undefined if the token currently
 * has no access.
 */
async function asGranted(payload: Payload): Promise<Payload | undefined> {
  const now = await appTokenNow({
    clientId: String(payload.clientId),
    scope: String(payload.scope ?? ''),
    installationId: installationNamed(payload.aud),
    managed: payload.managed as ManagedGrant | undefined,
  })
  if (!now) return undefined
  const { scope, userId } = now
  return {
    ...payload,
    ...(scope === undefined ? {} : { scope }),
    ...(userId === undefined ? {} : { extra: { sub: userId } }),
  }
}

/**
 * Returns the payload of the request's credential from the request's snapshot, and reads the snapshot first
 * if necessary. Returns undefined for another credential or model, and for a credential that currently has no
 * access unless the request revokes the credential. At POST /oauth/token, also checks the polling interval of
 * a device and whether the credential was used before.
 * @throws errors.SlowDown, and the error of `decideReuse`
 */
async function findPrimed(unit: RequestUnit, model: string, id: string) {
  const snapshot = unit.snapshot ?? (await unit.prime(null))
  const artifact = unit.artifact(id)
  if (artifact?.model !== model || (!isRevoking() && isCutOff(snapshot))) return
  if (unit.collects && model === 'DeviceCode') checkPollingPace(artifact)
  const payload = toPayload(artifact, id)
  if (unit.route === 'userinfo' && coversService(payload.aud)) delete payload.aud
  return (unit.collects ? await decideReuse(unit, artifact, payload) : payload) as AdapterPayload
}

function unsupported(model: string): Adapter {
  const refuse = async () => {
    throw new Error(`${model} does not support this operation`)
  }
  return {
    find: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: async () => undefined,
  }
}

/**
 * The grace period of a used refresh token, in seconds. If a client presents the token again in this time,
 * the server repeats its first response to the token. See ADR 0007.
 */
const graceSeconds = 30

/**
 * Returns the payload of a credential at POST /oauth/token, and starts the redemption of a code. If the
 * credential was used before, there are three cases:
 * - A refresh token in its grace period counts as unused, so that oidc-provider runs all its checks again.
 *   The stored first response then replaces the new response (commit-token-request).
 * - The loser of a race for a code is rejected without any further effect (`Redemption`).
 * - Anything else is reuse: the payload shows the earlier use, oidc-provider revokes the grant, and
 *   `endIssued` decides what to delete.
 * @throws errors.InvalidGrant for the loser of a race
 */
async function decideReuse(unit: RequestUnit, artifact: ArtifactRow, payload: Payload): Promise<Payload> {
  const redemption = artifact.model === 'RefreshToken' ? undefined : unit.redeem(artifact)
  if (!artifact.consumedAt) return payload
  const { consumed: _, ...unused } = payload
  if (artifact.model === 'RefreshToken') {
    if (artifact.replay && artifact.readAt - artifact.consumedAt.getTime() <= graceSeconds * 1000) {
      unit.replay = artifact.replay
      return unused
    }
    return payload
  }
  if (await redemption?.lostRace()) throw new errors.InvalidGrant('lost the race for this code')
  return payload
}
