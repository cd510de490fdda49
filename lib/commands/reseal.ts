import { config } from '@/lib/base/config/env'
import { type ColumnReport, reseal } from '@/lib/features/sealing/reseal'
import { defineCommand, say } from './frame/command'

export const resealCommand = defineCommand({
  name: 'reseal',
  summary: 'seal everything anew with SECRET_KEY',
  about:
    'What a key of SECRET_KEY_PREVIOUS had sealed is sealed with SECRET_KEY, while the servers run. It may be ended at any time and run again. With --check nothing is changed. The exit code is 1 while anything is left under a former key, or opens under none.',
  options: { check: { about: 'only say what is sealed with which key' } },
  needs: 'schema',
  run: async ({ options }) => {
    if (!options.check) await reseal({ progress: tellNowAndThen() })
    // Counted once more: a server that does not know the new key yet goes on sealing with the former one.
    const reports = await reseal({ check: true })
    for (const report of reports) say(describe(report))
    const left = reports.reduce((sum, { former, unreadable }) => sum + former + unreadable, 0)
    say(verdict(reports, options.check))
    return left > 0 ? 1 : 0
  },
})

const describe = ({ name, values, former, unreadable }: ColumnReport) =>
  [
    `${name.padEnd(36)} ${values - former - unreadable} with SECRET_KEY`,
    ...(former > 0 ? [`${former} with a former key`] : []),
    ...(unreadable > 0 ? [`${unreadable} that no key opens`] : []),
  ].join(', ')

function verdict(reports: ColumnReport[], check: boolean): string {
  if (reports.some(({ unreadable }) => unreadable > 0)) {
    return 'Some values open under no key: add the key they were sealed with to SECRET_KEY_PREVIOUS, and run this again.'
  }
  if (reports.some(({ former }) => former > 0)) {
    return check
      ? 'Former keys are still needed; `latchkey reseal` seals anew what they sealed.'
      : 'A server still seals with a former key: give every server the new SECRET_KEY, and run this again.'
  }
  if (config().SECRET_KEY_PREVIOUS.length === 0) return 'Everything is sealed with SECRET_KEY.'
  return check
    ? 'Everything is sealed with SECRET_KEY. Run `latchkey reseal` once before SECRET_KEY_PREVIOUS goes: it keeps what recovery codes need.'
    : 'Everything is sealed with SECRET_KEY. SECRET_KEY_PREVIOUS can go; who has not opened a page meanwhile signs in again.'
}

const everyMs = 1_000

/** A line a second at most, for tables that take long. */
function tellNowAndThen(): (report: ColumnReport) => void {
  let told = performance.now()
  return ({ name, values, resealed }) => {
    if (performance.now() - told < everyMs) return
    told = performance.now()
    say(`... ${name}: ${values} read, ${resealed} sealed anew`)
  }
}
