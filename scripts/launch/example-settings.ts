import fs from 'node:fs'
import path from 'node:path'
import { config } from '@/lib/base/config/env'
import type { seedExampleApp } from '@/prisma/seed-example-app'

/**
 * Writes the settings of examples/web-app and examples/sign-in to DATA_DIR/example.env, which only its owner
 * can read. If the file exists, keeps its client secret while the secret is valid. Writes nothing if the demo
 * workspace was deleted.
 * @param seed creates the example app if it does not exist, and returns its credentials
 */
export async function writeExampleSettings(root: string, seed: typeof seedExampleApp): Promise<void> {
  const { DATA_DIR, BASE_URL } = config()
  const file = path.resolve(root, DATA_DIR, 'example.env')
  const app = await seed(secretIn(file))
  if (!app) return
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const lines = [`ISSUER=${BASE_URL}/oauth`, `CLIENT_ID=${app.clientId}`, `CLIENT_SECRET=${app.clientSecret}`]
  fs.writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
}

function secretIn(file: string): string | undefined {
  if (!fs.existsSync(file)) return undefined
  return /^CLIENT_SECRET=(.+)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1]
}
