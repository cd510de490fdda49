import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { createFirstAdmin } from '@/lib/features/operator/create-admin'

/** Loads prisma/seed. */
export type LoadDemo = () => Promise<{ seedDemo: (password?: string) => Promise<{ created: boolean }> }>

/**
 * Creates the users that the settings ask for on a new database: the demo users (SEED_DEMO) and the first instance admin
 * (ADMIN_EMAIL). `npm start` does it by itself, because it can print a generated demo password to the terminal. Here, the
 * output is a log, which must not contain one.
 * @throws Error with a sentence that names the setting
 */
export async function createFirstUsers(loadDemo: LoadDemo): Promise<void> {
  const { SEED_DEMO, DEMO_PASSWORD } = config()
  if (SEED_DEMO) {
    if (DEMO_PASSWORD === undefined && (await prisma().user.count()) === 0) {
      throw new Error(
        'SEED_DEMO=1 needs DEMO_PASSWORD here, because only `npm start` prints a generated password. Set DEMO_PASSWORD, or remove SEED_DEMO.',
      )
    }
    const { seedDemo } = await loadDemo()
    const { created } = await seedDemo(DEMO_PASSWORD)
    if (created) log.info('the demo users were created with the password in DEMO_PASSWORD')
  }
  await createFirstAdmin()
}
