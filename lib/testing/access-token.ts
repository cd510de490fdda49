import { config } from '@/lib/base/config/env'
import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { installationResource } from '@/lib/features/app-access/installations'
import { makeClient } from './factories'

type Identified = { id: string }

type AccessTokenFields = {
  workspaces?: Identified[]
  projects?: Identified[]
  /** The token's scopes. If omitted, the token has the scopes of the authorization. */
  tokenScopes?: string[]
  /** The requested resource. */
  audience?: string
  /** The thumbprint of the key that the token is bound to. */
  boundTo?: string
  expiresAt?: Date
  /** Whether the user signed in with two-factor authentication. */
  twoFactor?: boolean
}

/**
 * Creates an access token in the form that oidc-provider stores, together with a new app and an authorization
 * of the app by the user.
 * @param scopes the granted scopes
 * @returns the plain token, and the rows that were created
 */
export async function makeAccessToken(user: Identified, scopes: string[], fields: AccessTokenFields = {}) {
  const { client } = await makeClient(undefined)
  const authorization = await prisma().authorization.create({
    data: {
      userId: user.id,
      clientId: client.id,
      scopes,
      workspaceIds: (fields.workspaces ?? []).map((each) => each.id),
      projectIds: (fields.projects ?? []).map((each) => each.id),
    },
  })
  const token = mintCredential('accessToken')
  const artifact = await prisma().oAuthArtifact.create({
    data: {
      hash: new Uint8Array(hashCredential(token)),
      model: 'AccessToken',
      authorizationId: authorization.id,
      payload: {
        kind: 'AccessToken',
        scope: (fields.tokenScopes ?? scopes).join(' '),
        ...(fields.audience ? { aud: fields.audience } : {}),
        ...(fields.twoFactor ? { amr: ['pwd', 'otp', 'mfa'] } : {}),
        ...(fields.boundTo ? { jkt: fields.boundTo } : {}),
      },
      expiresAt: fields.expiresAt ?? new Date(Date.now() + 3_600_000),
    },
  })
  return { token, client, authorization, artifact }
}

/**
 * Creates an access token for an app that acts without a user, together with the new app and its app
 * installation.
 * @param installation the workspace and the limits of the app installation; if undefined, no app installation
 * is created, and the token is for the app itself
 */
export async function makeInstallationToken(
  installation: { workspace: Identified; scopes: string[]; projects?: Identified[] } | undefined,
  fields: { tokenScopes?: string[]; expiresAt?: Date; boundTo?: string } = {},
) {
  const { client } = await makeClient(undefined)
  const scopes = installation?.scopes ?? []
  const row =
    installation &&
    (await prisma().installation.create({
      data: {
        workspaceId: installation.workspace.id,
        clientId: client.id,
        scopes,
        allProjects: !installation.projects,
        projectIds: (installation.projects ?? []).map(({ id }) => id),
      },
    }))
  const token = mintCredential('installationToken')
  await prisma().oAuthArtifact.create({
    data: {
      hash: new Uint8Array(hashCredential(token)),
      model: 'ClientCredentials',
      uid: row?.id ?? null,
      payload: {
        kind: 'ClientCredentials',
        clientId: client.id,
        scope: (fields.tokenScopes ?? scopes).join(' '),
        aud: row ? installationResource(row.id) : `${config().BASE_URL}/graphql/v2`,
        ...(fields.boundTo ? { jkt: fields.boundTo } : {}),
      },
      expiresAt: fields.expiresAt ?? new Date(Date.now() + 3_600_000),
    },
  })
  return { token, client, installation: row }
}
