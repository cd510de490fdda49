import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'
import { afterAll, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { registerApi } from '@/lib/features/resources/change-apis'
import { makeApiAdmin } from '@/lib/testing/api-world'
import { makeProject } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { userAtDevicePages } from '@/lib/testing/oauth-device'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, cli } = await startOAuthWorld()
const issuer = () => `${config().BASE_URL}/oauth`

const { api, secret } = await registerApi(await makeApiAdmin(), {
  identifier: 'https://deployments.example.com',
  name: 'Deployments',
  scopes: [
    {
      name: 'deployments:write',
      description: 'Deploy the projects you choose',
      sensitivity: 'ELEVATED',
      selects: 'PROJECTS',
    },
  ],
})

type Detail = { type: string; identifier: string; role: string }

/**
 * An external service that uses none of Latchkey's code. It introspects each token and deploys only for
 * members.
 */
const service = createServer(async (req, res) => {
  const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1]
  const refuse = (status: number, error: string) =>
    res.writeHead(status, { 'www-authenticate': `Bearer error="${error}"` }).end()
  const answer = await fetch(`${issuer()}/token/introspection`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${api.id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ token: token ?? '-' }),
  })
  const seen = (await answer.json()) as {
    active: boolean
    scope?: string
    authorization_details?: Detail[]
  }
  if (!seen.active) return refuse(401, 'invalid_token')
  const project = (req.url ?? '').slice('/deploy/'.length)
  const detail = seen.authorization_details?.find(({ identifier }) => identifier === project)
  const maySend = seen.scope?.split(' ').includes('deployments:write') && detail && detail.role !== 'viewer'
  return maySend ? res.writeHead(201).end() : refuse(403, 'insufficient_scope')
})
await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
afterAll(() => service.close())

async function deploy(token: string, projectId: string): Promise<[number, string | null]> {
  const { port } = service.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/deploy/${projectId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  return [answer.status, answer.headers.get('www-authenticate')]
}

const setRole = (role: 'ADMIN' | 'VIEWER') =>
  prisma().workspaceMember.updateMany({ where: { workspaceId: owner.workspace.id }, data: { role } })

it('an external service lets a CLI deploy to the selected project until the user becomes a viewer or revokes the CLI’s access', async () => {
  const other = await makeProject(owner.workspace)
  const server = await client.discovery(new URL(issuer()), cli.clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  expect(server.serverMetadata().scopes_supported).toContain('deployments:write')
  expect(server.serverMetadata().protected_resources).toContain(api.identifier)

  const device = await client.initiateDeviceAuthorization(server, {
    scope: 'openid offline_access deployments:write',
    resource: api.identifier,
  })
  const pages = await userAtDevicePages(owner.user.id)
  await pages.decide(device.user_code, 'authorize', [['project', owner.project.id]])
  const tokens = await client.pollDeviceAuthorizationGrant(server, device)

  const refused = [403, 'Bearer error="insufficient_scope"']
  const unknown = [401, 'Bearer error="invalid_token"']
  expect(await deploy(tokens.access_token, owner.project.id)).toEqual([201, null])
  expect(await deploy(tokens.access_token, other.id)).toEqual(refused)
  expect(await deploy('made-up', owner.project.id)).toEqual(unknown)

  await setRole('VIEWER')
  expect(await deploy(tokens.access_token, owner.project.id)).toEqual(refused)
  await setRole('ADMIN')
  expect(await deploy(tokens.access_token, owner.project.id)).toEqual([201, null])

  const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: cli.clientId } })
  await revokeAuthorization(sessionOf(owner), id)
  expect(await deploy(tokens.access_token, owner.project.id)).toEqual(unknown)
  await expect(client.refreshTokenGrant(server, String(tokens.refresh_token))).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})
