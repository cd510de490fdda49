import { expect, it } from 'vitest'
import { messageReader } from './counting-path'

const message = (type: string, body: string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}

it('messageReader returns the type of each client message, regardless of the chunk size', () => {
  const sent = Buffer.concat([
    message('', 'user bench'),
    message('P', 'SELECT 1'),
    message('E', 'E'),
    message('Q', 'SELECT 2; Q'),
  ])
  for (const size of [1, 7, sent.length]) {
    const types: string[] = []
    const read = messageReader((type) => types.push(String.fromCharCode(type)))
    for (let at = 0; at < sent.length; at += size) read(sent.subarray(at, at + size))
    expect(types).toEqual(['P', 'E', 'Q'])
  }
})
