import fs from 'node:fs'
import readline from 'node:readline'
import { readExport } from '@/lib/features/transfer/read-export'
import { defineCommand, say } from './frame/command'
import { typedPath } from './typed-path'

export const importCommand = defineCommand({
  name: 'import',
  summary: 'fill an empty database with what an export holds',
  about:
    'Whole or not at all, before the servers are used. Webhooks and audit streams arrive switched off, so that a copy sends nothing to the receivers of the original. The SECRET_KEY of the export is SECRET_KEY here, or stands in SECRET_KEY_PREVIOUS.',
  takes: { file: 'what `latchkey export` wrote; - for standard input' },
  options: {
    sending: { about: 'webhooks and audit streams go on to send, as they did where the export comes from' },
  },
  needs: 'schema',
  run: async ({ args, options }) => {
    const { rows, silenced, underPresentKey } = await readExport(linesOf(args.file), options)
    say(`${rows} rows were imported.`)
    if (silenced.webhooks + silenced.streams > 0) {
      say(
        `${silenced.webhooks} webhooks and ${silenced.streams} audit streams that send where the export comes from are switched off here. Admins switch theirs on where they are set up; \`latchkey import --sending\` leaves all of them on.`,
      )
    }
    if (!underPresentKey)
      say('They are sealed with a key of SECRET_KEY_PREVIOUS: run `latchkey reseal` next.')
    return 0
  },
})

/** Opened when the first line is asked for: what is read before that would be lost. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = file === '-' ? process.stdin : fs.createReadStream(typedPath(file))
  yield* readline.createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}
