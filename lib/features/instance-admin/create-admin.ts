import fs from 'node:fs'
import { config } from '@/lib/base/config/env'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import { createUser } from '@/lib/features/identity/users/create-user'
import { signUpInput } from '@/lib/features/identity/users/input'
import { hashNewPassword } from '@/lib/features/identity/users/password'

/**
 * The key of the lock under which instance admins are created. If several servers start together, only one of
 * them creates the first instance admin.
 */
const FIRST_ADMIN_LOCK = 5_512_094

/**
 * Creates a user who is an instance admin. The email address counts as verified, because the caller controls
 * the server or its settings. Ignores the `signUp` setting. The audit log records a system action.
 * @param input contains `name`, `email`, and `password`, with the same rules as at sign-up
 * @param only a function that is called in the transaction. If the function returns false, the user is not
 * created.
 * @returns whether the user was created
 * @throws AppError BAD_USER_INPUT with an error for each invalid field, or CONFLICT if the email address
 * already has an account
 */
export async function createAdmin(
  input: unknown,
  only: (tx: Db) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const { name, email, password } = parseInput(signUpInput, input)
  const passwordHash = await hashNewPassword(password, { name, email })
  return prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`
    if (!(await only(tx))) return false
    if ((await tx.user.count({ where: { email } })) > 0) {
      throw new AppError(
        'CONFLICT',
        `${email} already has an account. Run \`latchkey grant-admin ${email}\` to make that user an instance admin.`,
      )
    }
    const { userId } = await createUser(tx, { name, email, passwordHash, emailVerifiedAt: new Date() })
    await tx.user.update({ where: { id: userId }, data: { instanceAdmin: true } })
    await recordEvent(
      tx,
      { kind: 'system', userId },
      {
        action: 'user.instance_admin_added',
        resource: { type: 'user', id: userId },
        details: { by: 'command' },
      },
    )
    return true
  })
}

/**
 * Creates the first instance admin from ADMIN_EMAIL and ADMIN_PASSWORD_FILE, for automated deployments. Does
 * nothing if ADMIN_EMAIL is not set, or if an instance admin other than the demo's exists. The password can
 * therefore be removed from the settings after the first start.
 * @throws Error that names the invalid setting but never contains the password
 */
export async function createFirstAdmin(): Promise<void> {
  const { ADMIN_EMAIL: email } = config()
  if (email === undefined || !(await lacksAdmin(prisma()))) return
  const input = { name: email.split('@')[0], email, password: configuredPassword() }
  try {
    if (await createAdmin(input, lacksAdmin)) {
      log.info('the first instance admin was created from ADMIN_EMAIL; remove the password from the settings')
    }
  } catch (error) {
    if (!isAppError(error)) throw error
    const field = error.details.field
    const name = field === 'password' ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_EMAIL'
    throw new Error(`The user in ADMIN_EMAIL cannot be created (${name}). ${error.message}`)
  }
}

/** A function that loads prisma/seed. */
export type LoadDemo = () => Promise<{ seedDemo: (password?: string) => Promise<{ created: boolean }> }>

/**
 * Creates the first users of an instance, if they are configured: the demo users (SEED_DEMO) and the first
 * instance admin (ADMIN_EMAIL). Used by servers that write their output to a log. A generated demo password
 * must not appear in a log, so DEMO_PASSWORD is required if the instance has no users yet. `npm start`
 * creates the demo users itself, because it can print a generated password to the terminal.
 * @throws Error that names the invalid setting
 */
export async function createFirstUsers(loadDemo: LoadDemo): Promise<void> {
  const { SEED_DEMO, DEMO_PASSWORD } = config()
  if (SEED_DEMO) {
    if (DEMO_PASSWORD === undefined && (await prisma().user.count()) === 0) {
      throw new Error(
        'SEED_DEMO=1 requires DEMO_PASSWORD, because only `npm start` prints a generated password. Set DEMO_PASSWORD, or remove SEED_DEMO.',
      )
    }
    const { seedDemo } = await loadDemo()
    const { created } = await seedDemo(DEMO_PASSWORD)
    if (created) log.info('the demo users were created with the password in DEMO_PASSWORD')
  }
  await createFirstAdmin()
}

/**
 * Returns whether the instance has no instance admin. Ignores the demo's instance admin, because this user is
 * removed with the demo.
 */
const lacksAdmin = async (tx: Db): Promise<boolean> =>
  (await tx.user.count({ where: { instanceAdmin: true, demo: false } })) === 0

function configuredPassword(): string {
  try {
    // Remove the line break that editors and `echo` add at the end of the file. This line break is not part
    // of the password.
    return fs.readFileSync(config().ADMIN_PASSWORD_FILE ?? '', 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Error(
      `ADMIN_PASSWORD_FILE cannot be read (${(error as NodeJS.ErrnoException).code}). Set it to a file that this account can read.`,
    )
  }
}
