import { WebSocket } from 'undici'

/** A CPU profile from the inspector, with times in microseconds. */
export type CpuProfile = {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}

export type Profiler = { start: () => Promise<void>; stop: () => Promise<CpuProfile>; close: () => void }

/** The time between samples, in microseconds. */
const INTERVAL = 200

/**
 * A function that calls a method of the DevTools protocol. @throws Error with the name of the method if the
 * method fails
 */
export type Ask = <Answer>(method: string, params?: object) => Promise<Answer>

/**
 * Connects to the inspector of a Node process that runs with `--inspect=127.0.0.1:<port>`.
 * @throws Error if the inspector lists no process or does not respond
 */
export async function openInspector(port: number): Promise<{ ask: Ask; close: () => void }> {
  const [page] = (await fetch(`http://127.0.0.1:${port}/json/list`).then((answer) => answer.json())) as {
    webSocketDebuggerUrl: string
  }[]
  if (!page) throw new Error('The inspector lists no process.')
  const socket = new WebSocket(page.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The inspector does not respond.')))
  })
  let last = 0
  const ask: Ask = <Answer>(method: string, params = {}): Promise<Answer> => {
    const id = ++last
    return new Promise((resolve, reject) => {
      const listen = ({ data }: { data: string }) => {
        const message = JSON.parse(data)
        if (message.id !== id) return
        socket.removeEventListener('message', listen)
        if (message.error) reject(new Error(`${method}: ${message.error.message}`))
        else resolve(message.result)
      }
      socket.addEventListener('message', listen)
      socket.send(JSON.stringify({ id, method, params }))
    })
  }
  return { ask, close: () => socket.close() }
}

/**
 * Connects to a process's inspector (see `openInspector`), and returns a profiler that samples the process's
 * stack.
 */
export async function openProfiler(port: number): Promise<Profiler> {
  const { ask, close } = await openInspector(port)
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval: INTERVAL })
  return {
    start: () => ask('Profiler.start'),
    stop: async () => (await ask<{ profile: CpuProfile }>('Profiler.stop')).profile,
    close,
  }
}
