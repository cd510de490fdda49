import { randomUUID } from 'node:crypto'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import { picturePath } from '@/lib/features/pictures/address'
import {
  countUpload,
  drawPicture,
  type PictureOwner,
  storePicture,
} from '@/lib/features/pictures/draw-picture'
import type { Actor } from '@/lib/policy/actor'
import { lockApp, type OAuthApp, requireApp } from './require-app'

/** Which pages a logo is for. See ADR 0013. */
export type LogoTheme = 'light' | 'dark'

/** Where the logo of each is kept, and what the audit log calls it. */
const logos = {
  light: { column: 'logoUrl', told: 'logo', owner: (clientId: string) => ({ clientId }) },
  dark: { column: 'logoDarkUrl', told: 'darkLogo', owner: (darkClientId: string) => ({ darkClientId }) },
} satisfies Record<LogoTheme, { column: string; told: string; owner: (clientId: string) => PictureOwner }>

/**
 * Gives an app a new logo, which people see wherever it asks them for something. Takes `workspace:manage-apps` in its workspace.
 * @param theme the pages it is for; those without one of their own show the other
 * @param file as it was sent
 * @throws AppError BAD_USER_INPUT at `picture`, RATE_LIMITED, NOT_FOUND, and as `authorizeWorkspace`
 */
export async function setLogo(
  actor: Actor,
  appId: string,
  theme: LogoTheme,
  file: Uint8Array,
): Promise<void> {
  const app = await requireApp(actor, appId)
  await countUpload(actor)
  const drawn = await drawPicture(file, 'logo')
  const id = randomUUID()
  await prisma().$transaction(async (tx) => {
    await updateApp(tx, actor, app, theme, picturePath(id))
    await storePicture(tx, logos[theme].owner(app.id), id, drawn)
  })
}

/**
 * Takes an app's logo away; the other one stands in, or else its initials.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace`
 */
export async function removeLogo(actor: Actor, appId: string, theme: LogoTheme): Promise<void> {
  const app = await requireApp(actor, appId)
  await prisma().$transaction(async (tx) => {
    await updateApp(tx, actor, app, theme, null)
    await tx.picture.deleteMany({ where: logos[theme].owner(app.id) })
  })
}

async function updateApp(tx: Db, actor: Actor, app: OAuthApp, theme: LogoTheme, address: string | null) {
  await lockApp(tx, actor, app)
  const { column, told } = logos[theme]
  const { id, workspaceId } = app
  await tx.oAuthClient.update({ where: { id }, data: { [column]: address, version: { increment: 1 } } })
  await recordEvent(tx, actor, {
    action: 'oauth_app.updated',
    resource: { type: 'oauth_app', id },
    workspaceId,
    details: { [told]: address ? 'set' : 'removed' },
  })
}
