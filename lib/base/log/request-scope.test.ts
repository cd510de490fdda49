import { expect, it } from 'vitest'
import { inRequest, outsideRequests, requestId, scopedValue } from './request-scope'

const colour = scopedValue<string>('colour')
const size = scopedValue<number>('size')
const known = async () => {
  await Promise.resolve()
  return [requestId(), colour.now(), size.now()]
}

it('keeps the values of the work under way beside the name of its request, and each to its own work', async () => {
  await inRequest('one', async () => {
    const inner = colour.run('red', async () => {
      const both = await size.run(2, known)
      return [both, await known()]
    })
    const beside = colour.run('blue', known)
    expect(await inner).toEqual([
      ['one', 'red', 2],
      ['one', 'red', undefined],
    ])
    expect(await beside).toEqual(['one', 'blue', undefined])
    expect(await known()).toEqual(['one', undefined, undefined])
  })
  expect(await known()).toEqual([undefined, undefined, undefined])
})

it('gives none of them to what belongs to no request', async () => {
  await inRequest('one', () =>
    colour.run('red', async () => {
      expect(await outsideRequests(known)).toEqual([undefined, undefined, undefined])
    }),
  )
})
