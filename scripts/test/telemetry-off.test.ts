import { expect, it } from 'vitest'
import { filesLike, read } from './sources'

/** Returns whether a source loads a module immediately, not with a type import or a dynamic import. */
const loads = (source: string, module: string): boolean =>
  [...source.matchAll(/^import (?!type )[^'"]*?from '([^']+)'/gms)].some(
    ([, name]) => name === module || name?.startsWith(module),
  )

it('only start-telemetry.ts imports the OpenTelemetry SDK, and no module imports that file statically', () => {
  const product = filesLike(/^lib\/.*\.ts$/).filter((file) => !/\.test\.ts$|^lib\/testing\//.test(file))
  const loading = product.filter((file) => loads(read(file), '@opentelemetry/'))
  expect(loading).toEqual(['lib/base/telemetry/start-telemetry.ts'])
  const importers = product.filter(
    (file) =>
      loads(read(file), '@/lib/base/telemetry/start-telemetry') || loads(read(file), './start-telemetry'),
  )
  expect(importers).toEqual([])
})
