import { expect, it } from 'vitest'
import { inProduct } from './bill-of-materials'

it('lists what production needs and whatever has a file in the folder', () => {
  const packages = {
    '': { version: '2.0.0' },
    'node_modules/bundled': { version: '1.0.0' },
    'node_modules/@a/native-here': { version: '1.1.0', optional: true as const },
    'node_modules/@a/native-elsewhere': { version: '1.1.0', optional: true as const },
    'node_modules/tool': { version: '3.0.0', dev: true as const },
    'node_modules/tool-or-peer': { version: '4.0.0', devOptional: true as const },
    'node_modules/tool/node_modules/bundled': { version: '0.9.0', dev: true as const },
    'node_modules/another-name': { name: 'own-name', version: '5.0.0' },
  }
  expect([...inProduct(packages, new Set(['node_modules/@a/native-here'])).values()]).toEqual([
    'bundled@1.0.0',
    '@a/native-here@1.1.0',
    'own-name@5.0.0',
  ])
})
