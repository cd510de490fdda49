import { config } from '@/lib/base/config/env'
import { rotateSigningKeysByCommand } from '@/lib/features/instance-admin/manage-keys'
import { isMissingFormerKeys } from '@/lib/features/keys/former-keys'
import { type ColumnReport, checkSecretKey, reseal } from '@/lib/features/keys/reseal'
import { defineCommand, say, UsageError } from './command'

/**
 * The maximum delay before new keys sign, in seconds. A larger value was probably specified in milliseconds
 * by mistake.
 */
const longest = 30 * 86_400

export const rotateKeysCommand = defineCommand({
  name: 'rotate-keys',
  summary: 'create new signing keys',
  about:
    'New keys are published immediately but sign only later, when every client has fetched them. Old keys stay published until the last token that they signed has expired. Running servers apply the change.',
  options: {
    in: { about: 'delay until the new keys sign, up to 30 days', value: 'seconds', default: '600' },
    withdraw: {
      about: 'for leaked keys: new keys sign immediately, and old keys are no longer published',
    },
  },
  needs: 'schema',
  run: async ({ options }) => {
    const seconds = Number(options.in)
    if (options.in === '' || !Number.isSafeInteger(seconds) || seconds < 0 || seconds > longest) {
      throw new UsageError('--in must be a number of seconds up to 30 days, such as --in 600.')
    }
    // With a wrong key, servers could not read the new keys.
    await checkSecretKey()
    const { withdraw } = options
    const { kids, signsFrom } = await rotateSigningKeysByCommand({ aheadSeconds: seconds, withdraw })
    say(`New keys ${kids.join(', ')} are published and sign from ${signsFrom.toISOString()}.`)
    if (withdraw) say('The old keys are no longer published. Tokens that they signed are no longer valid.')
    return 0
  },
})

export const resealCommand = defineCommand({
  name: 'reseal',
  summary: 're-encrypt everything with SECRET_KEY',
  about:
    'Re-encrypts values with SECRET_KEY that are encrypted with a key from SECRET_KEY_PREVIOUS, while the servers run. If the command is interrupted, run it again. With --check, nothing changes. The exit code is 1 while a value needs a former key or cannot be decrypted.',
  options: { check: { about: 'only count values by key' } },
  needs: 'schema',
  run: async ({ options }) => {
    if (!options.check) await reseal({ progress: printProgress() })
    // Count the values even after re-encrypting them, because a server that does not have the new key still
    // encrypts with the former key.
    const reports = await reseal({ check: true })
    for (const report of reports) say(describe(report))
    const { done, message } = await verdict(reports, options.check)
    say(message)
    return done ? 0 : 1
  },
})

const describe = ({ name, values, former, unreadable }: ColumnReport) =>
  [
    `${name.padEnd(36)} ${values - former - unreadable} with SECRET_KEY`,
    ...(former > 0 ? [`${former} with a former key`] : []),
    ...(unreadable > 0 ? [`${unreadable} that no key decrypts`] : []),
  ].join(', ')

const incomplete = (message: string) => ({ done: false, message })

async function verdict(reports: ColumnReport[], check: boolean): Promise<{ done: boolean; message: string }> {
  if (reports.some(({ unreadable }) => unreadable > 0)) {
    return incomplete(
      'No key decrypts some values. Add the key that encrypted them to SECRET_KEY_PREVIOUS, and run this again.',
    )
  }
  if (reports.some(({ former }) => former > 0)) {
    return incomplete(
      check
        ? 'Former keys are still needed. Run `latchkey reseal` to re-encrypt their values.'
        : 'A server still encrypts with a former key. Set the new SECRET_KEY on every server, and run this again.',
    )
  }
  if (await isMissingFormerKeys()) {
    return incomplete(
      'Former keys are still needed for recovery codes. Run `latchkey reseal` to store the key that these codes need.',
    )
  }
  const removable =
    config().SECRET_KEY_PREVIOUS.length > 0
      ? ' You can remove SECRET_KEY_PREVIOUS. Users who have not opened a page since the rotation must sign in again.'
      : ''
  return { done: true, message: `Everything is encrypted with SECRET_KEY.${removable}` }
}

const everyMs = 1_000

/** Returns a function that prints the progress, at most one line a second. */
function printProgress(): (report: ColumnReport) => void {
  let printed = performance.now()
  return ({ name, values, resealed }) => {
    if (performance.now() - printed < everyMs) return
    printed = performance.now()
    say(`... ${name}: ${values} read, ${resealed} re-encrypted`)
  }
}
