import { hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'

/** The OAuth app of the demo, for `npm run example`. */
const EXAMPLE = {
  id: 'lk_app_example',
  name: 'Example app',
  redirectUris: ['http://localhost:4000/callback'],
  homepageUrl: 'http://localhost:4000',
}

/**
 * Creates the example app in the demo workspace Acme unless the app exists. If `known` is missing or not one
 * of the app's secrets, creates another secret, because stored secrets cannot be read. The app's existing
 * secrets stay valid.
 * @param known the secret of an earlier start, if any
 * @returns the app's credentials, or undefined if the demo workspace Acme does not exist
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
