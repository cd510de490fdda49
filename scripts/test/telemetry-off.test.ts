import { expect, it } from 'vitest'
import { filesLike, read } from './sources'

/** What loads a module: neither an import of types nor one that waits until it is wanted. */
const loads = (source: string, module: string): boolean =>
  [...source.matchAll(/^import (?!type )[^'"]*?from '([^']+)'/gms)].some(
    ([, name]) => name === module || name?.startsWith(module),
  )

it('the SDK is loaded by what is imported only once telemetry is wanted', () => {
  const product = filesLike(/^lib\/.*\.ts$/).filter((file) => !/\.test\.ts$|^lib\/testing\//.test(file))
  const loading = product.filter((file) => loads(read(file), '@opentelemetry/'))
  expect(loading).toEqual(
    ['metrics-text', 'record-steps', 'start-telemetry'].map((name) => `lib/base/telemetry/${name}.ts`),
  )
  const leading = (name: string) =>
    product.filter(
      (file) => loads(read(file), `@/lib/base/telemetry/${name}`) || loads(read(file), `./${name}`),
    )
  expect(leading('metrics-text')).toEqual(['lib/base/telemetry/start-telemetry.ts'])
  expect(leading('record-steps')).toEqual(['lib/base/telemetry/start-telemetry.ts'])
  expect(leading('start-telemetry')).toEqual([])
})
