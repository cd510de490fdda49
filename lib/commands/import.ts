import fs from 'node:fs'
import readline from 'node:readline'
import { readExport } from '@/lib/features/transfer/read-export'
import { defineCommand, say } from './frame/command'
import { typedPath } from './typed-path'

export const importCommand = defineCommand({
  name: 'import',
  summary: 'fill an empty database with what an export holds',
  about:
    'Whole or not at all, before the servers are used. The SECRET_KEY of the export is SECRET_KEY here, or stands in SECRET_KEY_PREVIOUS.',
  takes: { file: 'what `latchkey export` wrote; - for standard input' },
  needs: 'schema',
  run: async ({ args }) => {
    const { rows, underPresentKey } = await readExport(linesOf(args.file))
    say(`${rows} rows were imported.`)
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
