import { isAppError } from '@/lib/base/errors/app-error'
import { asStoredAddress } from '@/lib/base/mail/email-address'
import { createAdmin } from '@/lib/features/instance-admin/create-admin'
import { makeInstanceAdmin, revokeInstanceAdmin } from '@/lib/features/instance-admin/manage-users'
import { defineCommand, say, UsageError } from './command'

/**
 * The length of the password input after which the command stops reading. A valid password is much shorter.
 */
const mostBytes = 4_096

export const createAdminCommand = defineCommand({
  name: 'create-admin',
  summary: 'create a user who is an instance admin, without a browser',
  about:
    'The email address counts as confirmed. The password follows the rules of the sign-up page and is never printed. If the user already has an account, use `latchkey grant-admin`.',
  options: {
    email: { about: 'the email address that the user signs in with', value: 'address' },
    name: {
      about: 'the name shown to others; default: the part of the email address before the @',
      value: 'name',
    },
    'password-stdin': { about: 'reads the password from standard input, up to the first line break' },
  },
  needs: 'schema',
  run: async ({ options }) => {
    const { email, name } = options
    if (!email)
      throw new UsageError('--email is missing: latchkey create-admin --email <address> --password-stdin.')
    if (!options['password-stdin']) {
      throw new UsageError(
        'The password is missing. Add --password-stdin and send the password to standard input.',
      )
    }
    const password = await readPassword()
    try {
      await createAdmin({ name: name ?? email.split('@')[0], email, password })
    } catch (error) {
      const field = isAppError(error) ? error.details.field : undefined
      throw field === undefined
        ? error
        : new Error(`The ${field} was not accepted. ${(error as Error).message}`)
    }
    say(`Created ${asStoredAddress(email)}, an instance admin.`)
    return 0
  },
})

async function readPassword(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.includes('\n') || text.length > mostBytes) break
  }
  const [line = ''] = text.split(/\r?\n/)
  if (line === '') throw new UsageError('Standard input is empty. Send the password to standard input.')
  return line
}

export const grantAdminCommand = defineCommand({
  name: 'grant-admin',
  summary: 'make a user an instance admin',
  about: 'The user must sign up first. Afterwards, they can open the instance admin pages at /admin.',
  takes: { email: 'the email address that the user signs in with' },
  needs: 'schema',
  run: async ({ args }) => {
    const { name, changed, confirmed } = await makeInstanceAdmin(args.email)
    say(changed ? `${name} is now an instance admin.` : `${name} is already an instance admin.`)
    if (!confirmed) say('This email address is not confirmed. Verify that its owner created the account.')
    return 0
  },
})

export const revokeAdminCommand = defineCommand({
  name: 'revoke-admin',
  summary: 'revoke a user’s instance admin role',
  about: 'You can’t revoke the role of the last instance admin. Make another user an instance admin first.',
  takes: { email: 'the email address that the user signs in with' },
  needs: 'schema',
  run: async ({ args }) => {
    const { name, changed } = await revokeInstanceAdmin(args.email)
    say(changed ? `${name} is no longer an instance admin.` : `${name} is not an instance admin.`)
    return 0
  },
})
