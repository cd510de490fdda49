import { errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { config } from '@/lib/base/config/env'
import { installationNamed } from '@/lib/features/installations/installation-resource'
import { findInstallation } from '@/lib/policy/installation'
import { withIncluded } from '@/lib/policy/scopes'
import { clientCredentialsGrant } from '../protocol/grant-types'
import { resourceServer } from '../protocol/resources'

const asksForItself = (ctx: KoaContextWithOIDC): boolean =>
  ctx.oidc.params?.grant_type === clientCredentialsGrant

/**
 * What a resource allows (RFC 8707). An app that asks for itself names one of its installations, and gets no more than that
 * has; without a scope (RFC 6749 section 3.3) it gets all of it. Where it names the API instead, its token reaches no
 * workspace and tells of its installations alone.
 * See decision 191.
 * @throws errors.InvalidTarget for a resource of somebody else, and for an installation that is none of the app's now
 * @throws errors.InvalidScope where the installation has nothing of what is asked for
 */
export async function resourceServerInfo(ctx: KoaContextWithOIDC, resource: string): Promise<ResourceServer> {
  if (!asksForItself(ctx)) return resourceServer(resource)
  const id = installationNamed(resource)
  if (id === undefined) return { ...resourceServer(resource), scope: '' }
  const { client, params } = ctx.oidc
  const installation = client && (await findInstallation(id, client.clientId))
  if (!installation) {
    throw new errors.InvalidTarget(
      'this is no installation of the app: it was uninstalled or suspended, the workspace keeps the app out, or it never was',
    )
  }
  const allowed = withIncluded(installation.scopes)
  const asked = typeof params?.scope === 'string' ? params.scope.split(' ') : undefined
  if (asked && !asked.some((scope) => allowed.includes(scope))) {
    throw new errors.InvalidScope('the installation has none of these scopes', asked.join(' '))
  }
  if (params && !asked) params.scope = installation.scopes.join(' ')
  return { scope: allowed.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }
}

/** The resource of a request that names none, or several: an app that asks for itself asks about itself. */
export const defaultResource = async (
  ctx: KoaContextWithOIDC,
  _client: unknown,
  oneOf?: readonly string[],
): Promise<string | undefined> =>
  oneOf?.[0] ?? (asksForItself(ctx) ? `${config().BASE_URL}/graphql/v2` : undefined)
