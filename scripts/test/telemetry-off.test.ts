import { expect, it } from 'vitest'
import { filesLike, read } from './sources'

/** What loads a module: neither an import of types nor one that waits until it is wanted. */
const loads = (source: string, module: string): boolean =>
  [...source.matchAll(/^import (?!type )[^'"]*?from '([^']+)'/gms)].some(
    ([, name]) => name === module || name?.startsWith(module),
  )

it('loads the OpenTelemetry SDK only if telemetry is on', () => {
  const product = filesLike(/^lib\/.*\.ts$/).filter((file) => !/\.test\.ts$|^lib\/testing\//.test(file))
  const loading = product.filter((file) => loads(read(file), '@opentelemetry/'))
  expect(loading).toEqual(['lib/base/telemetry/start-telemetry.ts'])
  const importers = product.filter(
    (file) =>
      loads(read(file), '@/lib/base/telemetry/start-telemetry') || loads(read(file), './start-telemetry'),
  )
  expect(importers).toEqual([])
})
