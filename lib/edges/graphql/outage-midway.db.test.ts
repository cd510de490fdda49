import { beforeAll, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeApiToken, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { serveGraphQL } from '@/lib/testing/graphql-server'

const api = serveGraphQL()
let token = ''
let id = ''

beforeAll(async () => {
  const user = await makeUser()
  token = (await makeApiToken(user)).token
  id = (await makeProject(await makeWorkspace([[user, 'ADMIN']]))).id
  // The PostgreSQL error for a full disk.
  await prisma().$executeRaw`
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`
  await prisma().$executeRaw`
    CREATE TRIGGER no_room BEFORE INSERT ON environments
      FOR EACH ROW WHEN (NEW.name = 'no-room') EXECUTE FUNCTION no_room()`
})

const create = (name: string) => `environmentCreate(input: { projectId: $id, name: "${name}" }) { id }`

it('the API does not return 503 for an outage after a mutation has changed something, because 503 would trigger a retry', async () => {
  const query = `mutation ($id: ID!) { first: ${create('staging')} second: ${create('no-room')} }`
  const { status, headers, data, errors } = await api.execute(token, query, { id })
  expect(status).toBe(200)
  expect(headers.get('retry-after')).toBeNull()
  expect(data).toMatchObject({ first: { id: expect.any(String) }, second: null })
  expect(errors).toMatchObject([{ path: ['second'], extensions: { code: 'SERVICE_UNAVAILABLE' } }])
})

it('the API returns 503 for an outage that occurs before a mutation changes anything', async () => {
  const query = `mutation ($id: ID!) { first: ${create('no-room')} }`
  const { status, headers, errors } = await api.execute(token, query, { id })
  expect(status).toBe(503)
  expect(headers.get('retry-after')).not.toBeNull()
  expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }])
})
