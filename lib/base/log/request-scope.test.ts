import { expect, it } from 'vitest'
import { inRequest, outsideRequests, requestId, scopedValue } from './request-scope'

const color = scopedValue<string>('color')
const size = scopedValue<number>('size')
const known = async () => {
  await Promise.resolve()
  return [requestId(), color.now(), size.now()]
}

it('scopedValue keeps the values of concurrent work separate, without affecting the request ID', async () => {
  await inRequest('one', async () => {
    const inner = color.run('red', async () => {
      const both = await size.run(2, known)
      return [both, await known()]
    })
    const beside = color.run('blue', known)
    expect(await inner).toEqual([
      ['one', 'red', 2],
      ['one', 'red', undefined],
    ])
    expect(await beside).toEqual(['one', 'blue', undefined])
    expect(await known()).toEqual(['one', undefined, undefined])
  })
  expect(await known()).toEqual([undefined, undefined, undefined])
})

it('scopedValue returns no value outside of requests', async () => {
  await inRequest('one', () =>
    color.run('red', async () => {
      expect(await outsideRequests(known)).toEqual([undefined, undefined, undefined])
    }),
  )
})
