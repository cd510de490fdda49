import { config } from '@/lib/base/config/env'
import { newPassword } from '@/lib/features/identity/users/input'
import { passwordWeakness } from '@/lib/features/identity/users/password-strength'
import type { DemoReport } from '@/prisma/seed'
import type { Context } from './context'

/**
 * Prints the demo users, and their password if it was generated. Prints nothing if this start did not create
 * the demo users. Call this function right after they are created, so that a later failure does not hide the
 * password.
 */
export function announceDemo({ created, users, password }: DemoReport): void {
  if (!created) return
  console.log('\n  Demo users:')
  for (const { email, about } of users) console.log(`    ${email.padEnd(20)} ${about}`)
  console.log(
    password === undefined
      ? '  Password: the value of DEMO_PASSWORD\n'
      : `  Password, shown only once: ${password}\n`,
  )
}

/**
 * Warns if DEMO_PASSWORD is a password that the sign-up page would reject. The demo users get this password
 * anyway.
 */
export async function warnOfDemoPassword(chosen: string | undefined): Promise<void> {
  if (chosen === undefined) return
  const fits = newPassword.safeParse(chosen).success
  if (fits && !(await passwordWeakness(chosen))) return
  const fault = fits ? 'is easy to guess' : 'does not have 10 to 200 characters'
  console.warn(`    warning: DEMO_PASSWORD ${fault}. Use it for trials only.`)
}

/**
 * Prints the instance's name, URL, and mode, and how to stop the instance. If HOST is not set, also prints
 * how to accept connections from other machines.
 */
export function announceReady(mode: Context['mode']): void {
  const how = {
    serve: '',
    dev: ' (development)',
    next: ' (next start)',
    build: '',
    generate: '',
    commands: '',
    release: '',
  }[mode]
  const { serviceName, BASE_URL, HOST } = config()
  console.log(`\n  ${serviceName} is ready at ${BASE_URL}${how}`)
  if (HOST === undefined)
    console.log(
      '  It accepts connections from this machine only. To accept connections from other machines, set HOST=0.0.0.0.',
    )
  console.log('  Press Ctrl+C to stop.\n')
}
