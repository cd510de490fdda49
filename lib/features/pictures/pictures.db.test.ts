import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { answerPicture } from '@/lib/edges/web/images'
import { type LogoTheme, removeLogo, setLogo } from '@/lib/features/apps/change-logo'
import { getApp } from '@/lib/features/apps/read-apps'
import { deleteApp } from '@/lib/features/apps/update-app'
import { removeAvatar, setAvatar, updateProfile } from '@/lib/features/identity/users/profile'
import type { Actor } from '@/lib/policy/actor'
import { makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'

const session = ({ id }: { id: string }): Actor => ({
  kind: 'session',
  userId: id,
  sessionId: randomUUID(),
  instanceAdmin: false,
})

let file: Buffer
beforeAll(async () => {
  file = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#c02020' } })
    .png()
    .toBuffer()
})

const get = (path: string | null) => answerPicture(path?.replace('/pictures/', '') ?? '')
const avatarOf = async ({ id }: { id: string }) =>
  (await prisma().user.findUniqueOrThrow({ where: { id } })).avatarUrl

describe('an avatar', () => {
  it('is served as a sandboxed image that can be cached for a year, and is deleted when it is replaced or removed', async () => {
    const ada = await makeUser()
    await setAvatar(session(ada), file)
    const first = await avatarOf(ada)
    const answer = await get(first)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const body = new Uint8Array(await answer.arrayBuffer())
    expect((await sharp(body).metadata()).format).toBe('webp')

    await setAvatar(session(ada), file)
    const second = await avatarOf(ada)
    expect(second).not.toBe(first)
    expect((await get(first)).status).toBe(404)
    await removeAvatar(session(ada))
    expect(await avatarOf(ada)).toBeNull()
    expect((await get(second)).status).toBe(404)
    expect(await prisma().auditEvent.count({ where: { userId: ada.id } })).toBe(3)
  })

  it('is kept when the user’s name changes, and is replaced when the user sets an image URL', async () => {
    const ada = await makeUser()
    await setAvatar(session(ada), file)
    const path = await avatarOf(ada)
    await updateProfile(session(ada), { name: 'Ada' })
    expect([await avatarOf(ada), (await get(path)).status]).toEqual([path, 200])
    await updateProfile(session(ada), { name: 'Ada', avatarUrl: 'https://img.example/a.png' })
    expect([await avatarOf(ada), (await get(path)).status]).toEqual(['https://img.example/a.png', 404])
  })

  it('is stored only once if several uploads run concurrently', async () => {
    const ada = await makeUser()
    await Promise.all([1, 2, 3, 4].map(() => setAvatar(session(ada), file)))
    const [only, ...others] = await prisma().picture.findMany({ where: { userId: ada.id } })
    expect(others).toEqual([])
    expect(await avatarOf(ada)).toBe(`/pictures/${only?.id}.webp`)
  })

  it('can be uploaded up to 30 times per hour, including failed attempts', async () => {
    const ada = await makeUser()
    const send = () => setAvatar(session(ada), Buffer.from('no picture')).catch(({ code }) => code)
    const codes = await Promise.all(Array.from({ length: 31 }, send))
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(1)
  })
})

describe('an app’s logo', () => {
  it('can be changed only by admins of the app’s workspace', async () => {
    const [ada, grace, stranger] = await Promise.all([makeUser(), makeUser(), makeUser()])
    const workspace = await makeWorkspace([
      [ada, 'ADMIN'],
      [grace, 'MEMBER'],
    ])
    const { client } = await makeClient(workspace)
    await setLogo(session(ada), client.id, 'light', file)
    const { logoUrl } = await getApp(session(ada), client.id)
    expect((await get(logoUrl)).status).toBe(200)
    for (const change of [setLogo, removeLogo]) {
      for (const theme of ['light', 'dark'] as const) {
        const by = (user: { id: string }) => change(session(user), client.id, theme, file)
        await expect(by(grace)).rejects.toMatchObject({ code: 'FORBIDDEN' })
        await expect(by(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      }
    }
    expect((await get(logoUrl)).status).toBe(200)
    await deleteApp(session(ada), client.id)
    expect((await get(logoUrl)).status).toBe(404)
  })

  it('has a separate variant for dark pages, and deleting one variant keeps the other', async () => {
    const ada = await makeUser()
    const { client } = await makeClient(await makeWorkspace([[ada, 'ADMIN']]))
    const shown = async () => {
      const { logoUrl, logoDarkUrl } = await getApp(session(ada), client.id)
      return [logoUrl, logoDarkUrl]
    }
    const change = async (theme: LogoTheme, to?: Buffer) =>
      to ? setLogo(session(ada), client.id, theme, to) : removeLogo(session(ada), client.id, theme)
    const statuses = (paths: (string | null)[]) =>
      Promise.all(paths.map(async (path) => (await get(path)).status))

    await change('light', file)
    await change('dark', file)
    const [light, dark] = (await shown()) as [string, string]
    expect(light).not.toBe(dark)
    expect(await statuses([light, dark])).toEqual([200, 200])
    await change('light', file)
    const [next] = (await shown()) as [string]
    expect(await shown()).toEqual([next, dark])
    expect(await statuses([light, next, dark])).toEqual([404, 200, 200])
    await change('dark')
    expect(await shown()).toEqual([next, null])
    expect(await statuses([next, dark])).toEqual([200, 404])
    const events = await prisma().auditEvent.findMany({
      where: { resourceId: client.id, action: 'oauth_app.updated' },
      orderBy: { id: 'asc' },
      select: { details: true },
    })
    expect(events.map(({ details }) => details)).toEqual([
      { logo: 'set' },
      { darkLogo: 'set' },
      { logo: 'set' },
      { darkLogo: 'removed' },
    ])

    await change('dark', file)
    const [, last] = (await shown()) as [string, string]
    await deleteApp(session(ada), client.id)
    expect(await statuses([next, last])).toEqual([404, 404])
  })

  it('cannot be set for an app that registered itself', async () => {
    const ada = await makeUser()
    const { client } = await makeClient(undefined, { source: 'DYNAMIC', type: 'NATIVE' })
    await expect(setLogo(session(ada), client.id, 'dark', file)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

it.each(['', 'x.webp', `${randomUUID()}.png`, `${randomUUID()}.webp`, '../../etc/passwd'])(
  'a request for %j returns no image',
  async (name) => {
    expect((await answerPicture(name)).status).toBe(404)
  },
)
