import { release, releaseCommit } from '@/lib/base/process/release'
import { defineCommand, say } from './frame/command'

export const versionCommand = defineCommand({
  name: 'version',
  summary: 'print the version, the commit and the Node version',
  about: 'It needs neither settings nor a database.',
  needs: 'nothing',
  run: async () => {
    say(`version  ${release}`)
    say(`commit   ${releaseCommit() ?? 'unknown'}`)
    say(`node     ${process.versions.node}`)
    return undefined
  },
})
