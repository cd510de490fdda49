import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

const txt = 16
const nameError = 3

/**
 * A name server on loopback that knows some TXT records and nothing else (RFC 1035 section 4).
 * @param records by name; may change while it runs
 * @returns its address, as DNS_SERVERS takes it
 */
export async function startDnsServer(records: Map<string, string[]>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, records), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  return { address: `127.0.0.1:${port}`, close: () => socket.close() }
}

function answerTo(query: Buffer, records: Map<string, string[]>): Buffer {
  const { name, end } = readName(query, 12)
  const known = records.get(name.toLowerCase())
  const found = query.readUInt16BE(end) === txt ? (known ?? []) : []
  const head = Buffer.from(query.subarray(0, 12))
  // Answer, recursion available; no such name where nothing is known of it.
  head.writeUInt16BE(0x8180 | (known ? 0 : nameError), 2)
  head.writeUInt16BE(found.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, query.subarray(12, end + 4), ...found.map(txtRecord)])
}

/** A record of the name that was asked for, by a pointer to it, in pieces of at most 255 bytes. */
function txtRecord(text: string): Buffer {
  const pieces = text.match(/.{1,200}/gs) ?? ['']
  const data = Buffer.concat(
    pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece, 'latin1')])),
  )
  const head = Buffer.from([0xc0, 12, 0, txt, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}
