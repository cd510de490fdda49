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

/** The color scheme of a logo. See ADR 0010. */
export type LogoTheme = 'light' | 'dark'

/** The column of each logo, and its name in the audit log. */
const logos = {
  light: { column: 'logoUrl', detail: 'logo', owner: (clientId: string) => ({ clientId }) },
  dark: { column: 'logoDarkUrl', detail: 'darkLogo', owner: (darkClientId: string) => ({ darkClientId }) },
} satisfies Record<LogoTheme, { column: string; detail: string; owner: (clientId: string) => PictureOwner }>

/**
 * Sets the logo of an app, which users see on every page that concerns it. Requires `workspace:manage-apps`
 * in its workspace.
 * @param theme its color scheme; a scheme without a logo uses the other one
 * @param file the uploaded file
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
 * Removes an app's logo. The other logo replaces it, or else the app's initials.
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
  const { column, detail } = logos[theme]
  const { id, workspaceId } = app
  await tx.oAuthClient.update({ where: { id }, data: { [column]: address, version: { increment: 1 } } })
  await recordEvent(tx, actor, {
    action: 'oauth_app.updated',
    resource: { type: 'oauth_app', id },
    workspaceId,
    details: { [detail]: address ? 'set' : 'removed' },
  })
}
