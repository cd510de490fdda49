import { hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'

/** The demo's own OAuth app, so that `npm run example` has one to sign in with and nobody registers anything by hand. */
const EXAMPLE = {
  id: 'lk_app_example',
  name: 'Example app',
  redirectUris: ['http://localhost:4000/callback'],
  homepageUrl: 'http://localhost:4000',
}

/**
 * Makes the example app in the workspace Acme where it does not exist yet. Its secret cannot be read back, so whoever
 * lost it gets another; the older one stays valid.
 * @param known the secret from an earlier start, if there is one
 * @returns credentials that work; undefined when the demo's workspace was deleted
 */
export async function seedExampleApp(
  known?: string,
): Promise<{ clientId: string; clientSecret: string } | undefined> {
  const acme = await prisma().workspace.findFirst({
    where: { slug: 'acme', demo: true },
    select: { id: true },
  })
  if (!acme) return undefined
  await prisma().oAuthClient.upsert({
    where: { id: EXAMPLE.id },
    create: { ...EXAMPLE, type: 'WEB', workspaceId: acme.id },
    update: {},
  })
  const clientSecret = known && (await isLive(known)) ? known : await addSecret()
  return { clientId: EXAMPLE.id, clientSecret }
}

const digest = (secret: string) => Uint8Array.from(hashCredential(secret))

const isLive = async (secret: string) =>
  (await prisma().oAuthClientSecret.count({ where: { hash: digest(secret), clientId: EXAMPLE.id } })) > 0

async function addSecret(): Promise<string> {
  const secret = mintCredential('clientSecret')
  await prisma().oAuthClientSecret.create({
    data: { clientId: EXAMPLE.id, hash: digest(secret), lastFour: lastFour(secret) },
  })
  return secret
}
