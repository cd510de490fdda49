import type { Server } from 'node:http'
import { createServer, type Server as Listener } from 'node:net'
import { isAddressMissing, listenAddresses } from '@/lib/base/config/listen-addresses.mjs'
import { listenBeside } from './drain'

/**
 * Starts listening.
 * @param host an address of this machine; its loopback addresses, which nobody else reaches, when undefined
 * @throws Error with one sentence when the port cannot be had
 */
export async function listen(server: Server, port: number, host?: string): Promise<void> {
  const [first, ...others] = listenAddresses(host)
  await open(server, port, first)
  for (const address of others) {
    // As Node's HTTP server opens its own.
    const listener = createServer({ allowHalfOpen: true, noDelay: true })
    const isOpen = await open(listener, port, address, isAddressMissing)
    if (isOpen) listenBeside(server, listener)
  }
}

/** @returns whether it listens now; false after an error that is passed over */
const open = (listener: Listener, port: number, address?: string, passOver = (_code?: string) => false) =>
  new Promise<boolean>((resolve, reject) => {
    const refuse = ({ code }: NodeJS.ErrnoException) => {
      if (passOver(code)) resolve(false)
      else reject(new Error(`Port ${port} cannot be opened (${code}); choose another with PORT.`))
    }
    listener.once('error', refuse)
    listener.listen(port, address, () => {
      listener.off('error', refuse)
      resolve(true)
    })
  })
