import { randomUUID } from 'node:crypto'
import { mintApiId } from '@/lib/base/credentials/tokens'
import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent, type SystemActor } from '@/lib/features/audit/record-event'
import { picturePath } from '@/lib/features/pictures/address'
import { drawUpload, storePicture } from '@/lib/features/pictures/draw-picture'
import type { Api as ApiRow, ApiScope as ScopeRow } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeApis } from '@/lib/policy/authorize'
import { lockInstanceAdminRole } from '@/lib/policy/lock-role'
import { requireApiAdmin } from '@/lib/policy/require'
import { type ApiScope, dropApis } from './apis'
import { newApiSecret } from './credentials'
import { type ApiInput, lifetimeProblem, lifetimes, registerApiInput, updateApiInput } from './input'

const maxApis = 100

/**
 * The key of the advisory lock that serializes changes to the registry, so that scope names stay unique and
 * no limit is exceeded.
 */
const registryLock = 5_201_402_137

const lockRegistry = (tx: Db) => tx.$executeRaw`SELECT pg_advisory_xact_lock(${registryLock}::bigint)`

/** A registered API with its scopes, in the order in which they were defined. */
export type RegisteredApi = Omit<ApiRow, 'version'> & { scopes: ApiScope[] }

const withScopes = { scopes: { orderBy: { position: 'asc' } } } as const

const shown = (row: ApiRow & { scopes: ScopeRow[] }): RegisteredApi => {
  const { version: _version, ...api } = row
  return {
    ...api,
    scopes: row.scopes.map(({ name, description, sensitivity, selects }) => ({
      name,
      description,
      sensitivity,
      selects,
    })),
  }
}

/**
 * Registers an API and creates its first client secret. Requires an instance admin.
 * @param input see `registerApiInput`
 * @returns the API and the secret, which is returned only once
 * @throws AppError BAD_USER_INPUT, CONFLICT (the identifier or a scope is taken, or there are too many APIs),
 * FORBIDDEN, TWO_FACTOR_REQUIRED
 */
export async function registerApi(
  actor: Actor,
  input: unknown,
): Promise<{ api: RegisteredApi; secret: string }> {
  await requireApiAdmin(actor)
  const values = parseInput(registerApiInput, input)
  const { row, value } = newApiSecret(actor.userId)
  const api = await inTransaction(async (tx) => {
    await lockRegistry(tx)
    await lockInstanceAdminRole(tx, actor)
    const id = await createApi(tx, actor, values, false)
    await tx.apiCredential.create({ data: { ...row, apiId: id } })
    return tx.api.findUniqueOrThrow({ where: { id }, include: withScopes })
  })
  dropApis()
  return { api: shown(api), secret: value }
}

/**
 * Creates the rows of an API and its scopes, and records the event. Lock the registry first.
 * @param fromFile whether RESOURCES_FILE defines the API
 * @returns the ID of the API
 * @throws AppError CONFLICT (the identifier or a scope is taken, or there are too many APIs)
 */
async function createApi(
  tx: Db,
  actor: Actor | SystemActor,
  { scopes, ...settings }: ApiInput,
  fromFile: boolean,
): Promise<string> {
  if ((await tx.api.count()) >= maxApis) {
    throw new AppError('CONFLICT', `An instance can have up to ${maxApis} APIs. Delete one first.`)
  }
  if (await tx.api.findUnique({ where: { identifier: settings.identifier }, select: { id: true } })) {
    throw new AppError(
      'CONFLICT',
      'An API with this identifier is already registered. Use another identifier.',
      {
        field: 'identifier',
      },
    )
  }
  const id = mintApiId()
  await requireFreeScopes(tx, id, scopes)
  await tx.api.create({ data: { ...settings, id, fromFile } })
  await storeScopes(tx, id, scopes)
  await recordEvent(tx, actor, {
    action: 'api.registered',
    resource: { type: 'api', id },
    details: {
      identifier: settings.identifier,
      name: settings.name,
      scopes: scopes.map(({ name }) => name),
    },
  })
  return id
}

async function requireFreeScopes(tx: Db, id: string, scopes: readonly ApiScope[]): Promise<void> {
  const names = scopes.map(({ name }) => name)
  const taken = await tx.apiScope.findFirst({
    where: { name: { in: names }, apiId: { not: id } },
    select: { name: true, api: { select: { name: true } } },
  })
  if (!taken) return
  throw new AppError(
    'CONFLICT',
    `The API “${taken.api.name}” already has the scope “${taken.name}”. Use another name.`,
    {
      field: 'scopes',
    },
  )
}

/** Replaces the scopes of an API. */
async function storeScopes(tx: Db, apiId: string, scopes: readonly ApiScope[]): Promise<void> {
  await tx.apiScope.deleteMany({ where: { apiId } })
  await tx.apiScope.createMany({
    data: scopes.map(({ name, description, sensitivity, selects }, position) => ({
      name,
      description,
      sensitivity,
      selects,
      apiId,
      position,
    })),
  })
}

/**
 * Removes scopes from users' grants, and deletes grants that then contain no scopes. If the same scopes are
 * added to the API again later, users must grant them again.
 */
async function withdrawScopes(tx: Db, apiId: string, removed: readonly string[]): Promise<void> {
  if (removed.length === 0) return
  await tx.$executeRaw`
    UPDATE api_grants
       SET scopes = ARRAY(SELECT s FROM unnest(scopes) WITH ORDINALITY AS listed(s, place)
                           WHERE s <> ALL(${removed}::text[]) ORDER BY place),
           updated_at = now()
     WHERE api_id = ${apiId} AND scopes && ${removed}::text[]`
  await tx.apiGrant.deleteMany({ where: { apiId, scopes: { isEmpty: true } } })
}

/**
 * Changes an API. Existing tokens keep their format and lifetime. If the token format changes and no lifetime
 * is given, new tokens have the default lifetime of the new format. Removed scopes are also removed from
 * users' grants. Requires an instance admin.
 * @param input see `updateApiInput`
 * @throws AppError BAD_USER_INPUT, CONFLICT (a scope is taken, or RESOURCES_FILE defines the API), FORBIDDEN,
 * TWO_FACTOR_REQUIRED, NOT_FOUND
 */
export async function updateApi(actor: Actor, id: string, input: unknown): Promise<RegisteredApi> {
  await requireApiAdmin(actor)
  const api = await inTransaction(async (tx) => {
    const before = await lockApi(tx, actor, id)
    const values = parseInput(updateApiInput(before), input)
    const tokenFormat = values.tokenFormat ?? before.tokenFormat
    const usual = tokenFormat === before.tokenFormat ? before.tokenLifetime : lifetimes[tokenFormat].usual
    const tokenLifetime = values.tokenLifetime ?? usual
    const problem = lifetimeProblem(tokenFormat, tokenLifetime)
    if (problem) throw badInput('tokenLifetime', problem)
    await changeApi(tx, actor, before, {
      name: values.name ?? before.name,
      tokenFormat,
      tokenLifetime,
      signingAlgorithm: values.signingAlgorithm ?? before.signingAlgorithm,
      eventsUrl: values.eventsUrl === undefined ? before.eventsUrl : values.eventsUrl,
      scopes: values.scopes ?? shown(before).scopes,
    })
    return tx.api.findUniqueOrThrow({ where: { id }, include: withScopes })
  })
  dropApis()
  return shown(api)
}

type Changeable = Omit<ApiInput, 'identifier' | 'signingAlgorithm'> & { signingAlgorithm: string }

/**
 * Stores the new values of an API and records an event. Also removes deleted scopes from users' grants. Does
 * nothing if no value changed. Lock the registry first.
 * @throws AppError CONFLICT if another API has one of the scopes
 */
async function changeApi(
  tx: Db,
  actor: Actor | SystemActor,
  before: ApiRow & { scopes: ScopeRow[] },
  { scopes, ...settings }: Changeable,
): Promise<void> {
  const former = shown(before).scopes
  const areScopesNew = JSON.stringify(scopes.map(inOrder)) !== JSON.stringify(former.map(inOrder))
  const changes = Object.entries(settings).filter(([key, value]) => before[key as keyof ApiRow] !== value)
  if (changes.length === 0 && !areScopesNew) return
  await requireFreeScopes(tx, before.id, scopes)
  await tx.api.update({ where: { id: before.id }, data: { ...settings, version: { increment: 1 } } })
  if (areScopesNew) {
    const names = new Set(scopes.map(({ name }) => name))
    await storeScopes(tx, before.id, scopes)
    await withdrawScopes(
      tx,
      before.id,
      former.map(({ name }) => name).filter((name) => !names.has(name)),
    )
  }
  await recordEvent(tx, actor, {
    action: 'api.updated',
    resource: { type: 'api', id: before.id },
    details: {
      identifier: before.identifier,
      ...Object.fromEntries(changes),
      ...(areScopesNew ? { scopes: scopes.map(({ name }) => name) } : {}),
    },
  })
}

const inOrder = ({ name, description, sensitivity, selects }: ApiScope) => [
  name,
  description,
  sensitivity,
  selects,
]

/**
 * Locks the registry and the role of the actor until the transaction ends, and returns an API that
 * RESOURCES_FILE does not define.
 * @throws AppError NOT_FOUND, CONFLICT (RESOURCES_FILE defines the API), FORBIDDEN
 */
async function lockApi(tx: Db, actor: Actor, id: string) {
  await lockRegistry(tx)
  await lockInstanceAdminRole(tx, actor)
  const api = await tx.api.findUnique({ where: { id }, include: withScopes })
  if (!api) throw new AppError('NOT_FOUND', 'The API was not found.')
  if (api.fromFile) {
    throw new AppError('CONFLICT', 'RESOURCES_FILE defines this API. Change it in the file.')
  }
  return api
}

/**
 * Deletes an API with its credentials and all grants. Opaque tokens for the API stop working immediately.
 * JWTs work until they expire. Requires an instance admin.
 * @throws AppError CONFLICT (RESOURCES_FILE defines the API), FORBIDDEN, TWO_FACTOR_REQUIRED, NOT_FOUND
 */
export async function deleteApi(actor: Actor, id: string): Promise<void> {
  await requireApiAdmin(actor)
  await inTransaction(async (tx) => removeApi(tx, actor, await lockApi(tx, actor, id)))
  dropApis()
}

async function removeApi(tx: Db, actor: Actor | SystemActor, api: ApiRow): Promise<void> {
  const users = await endApiGrants(tx, api)
  await tx.api.deleteMany({ where: { id: api.id } })
  await recordEvent(tx, actor, {
    action: 'api.deleted',
    resource: { type: 'api', id: api.id },
    details: { identifier: api.identifier, name: api.name, users },
  })
}

/**
 * Deletes all grants for an API, all stored codes and tokens for the API, and all tokens that were issued
 * through a token exchange by the API. The deleted tokens include refresh tokens that also cover other
 * resources, so users must sign in again to the apps that use these tokens.
 * @returns the number of deleted grants
 */
async function endApiGrants(tx: Db, api: { id: string; identifier: string }): Promise<number> {
  const grants = await tx.apiGrant.findMany({ where: { apiId: api.id }, select: { authorizationId: true } })
  const ids = grants.map(({ authorizationId }) => authorizationId)
  await tx.apiGrant.deleteMany({ where: { apiId: api.id } })
  const names = [api.identifier, `${api.identifier}/`]
  for (let round = 1; ids.length > 0; round++) {
    // Repeat the deletion until it finds nothing, but run it at least twice. A concurrent request might have
    // replaced a token, and the previous statement did not see the new token.
    const left = await tx.$executeRaw`
      DELETE FROM oauth_artifacts
       WHERE authorization_id = ANY(${ids}::uuid[])
         AND (jsonb_path_exists(payload, '$.extra.act.**.sub ? (@ == $id)', jsonb_build_object('id', ${api.id}::text))
              OR payload->'aud' ?| ${names} OR payload->'resource' ?| ${names}
              OR payload->>'aud' = ANY(${names}) OR payload->>'resource' = ANY(${names}))`
    if (left === 0 && round > 1) break
  }
  return ids.length
}

/**
 * Sets the logo of an API, which users see on the consent page. Requires an instance admin.
 * @throws AppError BAD_USER_INPUT on `picture`, RATE_LIMITED, SERVICE_UNAVAILABLE, FORBIDDEN,
 * TWO_FACTOR_REQUIRED, NOT_FOUND
 */
export async function setApiLogo(actor: Actor, id: string, file: Uint8Array): Promise<RegisteredApi> {
  await requireApiAdmin(actor)
  const drawn = await drawUpload(actor, file, 'logo')
  return changeLogo(actor, id, drawn)
}

/**
 * Removes the logo of an API. Requires an instance admin.
 * @throws AppError FORBIDDEN, TWO_FACTOR_REQUIRED, NOT_FOUND
 */
export async function removeApiLogo(actor: Actor, id: string): Promise<RegisteredApi> {
  authorizeApis(actor)
  return changeLogo(actor, id, undefined)
}

/**
 * Sets or removes the logo of an API. An API from RESOURCES_FILE is accepted too, because the file cannot
 * contain a logo.
 * @param drawn the re-encoded image, or undefined to remove the logo
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
async function changeLogo(actor: Actor, id: string, drawn: Uint8Array<ArrayBuffer> | undefined) {
  const pictureId = randomUUID()
  const api = await prisma().$transaction(async (tx) => {
    await lockRegistry(tx)
    await lockInstanceAdminRole(tx, actor)
    const logoUrl = drawn ? picturePath(pictureId) : null
    const { count } = await tx.api.updateMany({ where: { id }, data: { logoUrl, version: { increment: 1 } } })
    if (count === 0) throw new AppError('NOT_FOUND', 'The API was not found.')
    if (drawn) await storePicture(tx, { apiId: id }, pictureId, drawn)
    else await tx.picture.deleteMany({ where: { apiId: id } })
    const row = await tx.api.findUniqueOrThrow({ where: { id }, include: withScopes })
    await recordEvent(tx, actor, {
      action: 'api.updated',
      resource: { type: 'api', id },
      details: { identifier: row.identifier, logo: drawn ? 'set' : 'removed' },
    })
    return row
  })
  dropApis()
  return shown(api)
}

/**
 * Makes the registry match RESOURCES_FILE at startup. Creates and changes the APIs that the file defines, and
 * deletes APIs that the file no longer defines. If the file lists an API that was created in the console, the
 * API keeps its grants and is from then on defined by the file.
 * @param apis the validated content of the file; empty if there is no file
 * @throws AppError CONFLICT if a scope belongs to an API that was created in the console, or if there are too
 * many APIs
 */
export async function syncApis(apis: readonly ApiInput[]): Promise<void> {
  const system: SystemActor = { kind: 'system' }
  const stored = await prisma().api.count({ where: { fromFile: true } })
  if (apis.length === 0 && stored === 0) return
  await inTransaction(async (tx) => {
    await lockRegistry(tx)
    const rows = await tx.api.findMany({ include: withScopes })
    const listed = new Set(apis.map(({ identifier }) => identifier))
    for (const row of rows) if (row.fromFile && !listed.has(row.identifier)) await removeApi(tx, system, row)
    for (const { identifier, scopes } of apis) {
      const row = rows.find((each) => each.identifier === identifier)
      // Delete all removed scopes before adding new ones, so that a scope can move from one API to another.
      const name = { notIn: scopes.map((scope) => scope.name) }
      if (row) await tx.apiScope.deleteMany({ where: { apiId: row.id, name } })
    }
    for (const { identifier, ...values } of apis) {
      const before = rows.find((row) => row.identifier === identifier)
      if (!before) await createApi(tx, system, { identifier, ...values }, true)
      else {
        await changeApi(tx, system, before, values)
        if (!before.fromFile) await tx.api.update({ where: { id: before.id }, data: { fromFile: true } })
      }
    }
  })
  dropApis()
}
