import { lowestId } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { installApp, installationResource } from '@/lib/features/app-access/installations'
import { updateApp } from '@/lib/features/apps/update-app'
import { requestToken } from './oauth-flow'
import { makeOwner, type Owner } from './oauth-world'

/** Returns the actor for a user in a browser session. */
export const sessionOf = ({ user }: { user: { id: string } }) =>
  ({ kind: 'session', userId: user.id, sessionId: lowestId, instanceAdmin: false }) as const

/** The `grant_type` parameter for an app that acts without a user. */
export const grant = { grant_type: 'client_credentials' }

/**
 * Creates an installable app, and a workspace of another owner, who installs the app in it.
 * @param given changes to the input of the installation
 * @param asks the scopes that the app requests when it is installed
 */
export async function makeInstallationWorld(
  vendor: Owner,
  given: object = {},
  asks = ['workspace:member', 'project:member'],
) {
  const customer = await makeOwner()
  const app = await vendor.makeApp()
  await updateApp(sessionOf(vendor), app.clientId, { installScopes: asks })
  const { id: workspaceId } = customer.workspace
  const admin = sessionOf(customer)
  const install = async (input: object) => {
    await installApp(admin, workspaceId, app.clientId, { scopes: ['workspace:member'], ...input })
    return prisma().installation.findFirstOrThrow({ where: { workspaceId, clientId: app.clientId } })
  }
  const { id } = await install(given)
  const resource = installationResource(id)
  const token = async (fields: object = {}) =>
    (await requestToken(app, { ...grant, resource, ...fields })).body.access_token as string
  return { customer, admin, workspaceId, app, id, resource, install, token }
}
