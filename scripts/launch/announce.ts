import { config } from '@/lib/base/config/env'
import { newPassword } from '@/lib/features/identity/people/input'
import { weaknessOf } from '@/lib/features/identity/people/password-strength'
import type { DemoReport } from '@/prisma/seed'
import type { Context } from './context'

/** Says who the demo people are, at once when they were made: nothing that fails later may swallow their password. */
export function announceDemo({ created, people, password }: DemoReport): void {
  if (!created) return
  console.log('\n  Demo people:')
  for (const { email, about } of people) console.log(`    ${email.padEnd(20)} ${about}`)
  console.log(
    password === undefined
      ? '  Their password is the one in DEMO_PASSWORD.\n'
      : `  Their password (shown only this once): ${password}\n`,
  )
}

/** Says where the demo people's password is one that nobody else could choose; for a trial it is taken nevertheless. */
export async function warnOfDemoPassword(chosen: string | undefined): Promise<void> {
  if (chosen === undefined) return
  const fits = newPassword.safeParse(chosen).success
  if (fits && !(await weaknessOf(chosen))) return
  const fault = fits ? 'is too easy to guess' : 'has not the 10 to 200 characters that people must choose'
  console.warn(`    warning: DEMO_PASSWORD ${fault}; take it for a trial alone.`)
}

/** Says where the product is, and for whom. */
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
  if (HOST === undefined) console.log('  Only this machine reaches it; HOST=0.0.0.0 opens it to others.')
  console.log('  Ctrl-C stops it.\n')
}
