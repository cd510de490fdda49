import esbuild from 'esbuild'
import { expect, it } from 'vitest'
import { launcherBundle } from './launch.mjs'

it('the launcher compiles without generated files, which a fresh clone does not have', async () => {
  const { metafile } = await esbuild.build({ ...launcherBundle, write: false, metafile: true })
  expect(Object.keys(metafile?.inputs ?? {}).filter((file) => file.startsWith('lib/generated/'))).toEqual([])
})
