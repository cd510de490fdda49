import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ipaddr from 'ipaddr.js'
import { setNameServer } from './name-server'

const [a, txt, aaaa] = [1, 16, 28]
const nameError = 3

/**
 * Starts a name server on loopback, and makes it this process's name server (`setNameServer`). The server has
 * only TXT, A, and AAAA records (RFC 1035 section 4).
 * @param records TXT records by name; the map can change while the server runs
 * @param addresses returns the IP addresses of a name, or null to send no response
 * @returns the server's IP address and port, such as `127.0.0.1:5353`, and a function that closes the server,
 * so that later queries fail immediately
 */
export async function startDnsServer(
  records: Map<string, string[]>,
  addresses: (name: string) => string[] | null = () => [],
) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const name = readName(query, 12).name.toLowerCase()
    const found = addresses(name)
    if (found) socket.send(answerTo(query, { texts: records.get(name), addresses: found }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  const address = `127.0.0.1:${port}`
  setNameServer(address)
  const close = () => {
    setNameServer()
    socket.close()
  }
  return { address, close }
}

function answerTo(
  query: Buffer,
  { texts, addresses }: { texts: string[] | undefined; addresses: string[] },
): Buffer {
  const { end } = readName(query, 12)
  const type = query.readUInt16BE(end)
  const found =
    type === txt
      ? (texts ?? []).map((text) => record(txt, txtData(text)))
      : addresses
          .map((address) => ipaddr.parse(address))
          .filter((address) => type === (address.kind() === 'ipv4' ? a : aaaa))
          .map((address) => record(type, Buffer.from(address.toByteArray())))
  const known = texts !== undefined || addresses.length > 0
  const head = Buffer.from(query.subarray(0, 12))
  // The flags of a response with recursion available, and the response code.
  head.writeUInt16BE(0x8180 | (known ? 0 : nameError), 2)
  head.writeUInt16BE(found.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, query.subarray(12, end + 4), ...found])
}

/** Encodes a text as strings of up to 200 bytes. DNS allows up to 255 bytes per string. */
function txtData(text: string): Buffer {
  const strings = text.match(/.{1,200}/gs) ?? ['']
  return Buffer.concat(strings.map((each) => Buffer.from([each.length, ...Buffer.from(each, 'latin1')])))
}

/** Returns a DNS record whose name is a pointer to the name in the query. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, 0])
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
