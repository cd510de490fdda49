/** Takes back one thing that was started. */
export type Undo = () => Promise<unknown>

/**
 * Ends the process on SIGINT, SIGTERM or SIGHUP after taking back, last first, whatever was started; a second signal ends
 * it at once.
 */
export function endWithSignals() {
  const undos: Undo[] = []
  const undo = async () => {
    for (let next = undos.pop(); next; next = undos.pop()) {
      try {
        await next()
      } catch (error) {
        console.error(`while stopping: ${error instanceof Error ? error.message : error}`)
      }
    }
  }
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    console.log('\nStopping ...')
    void undo().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  // A closed terminal takes the output with it, which must not keep the database from being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  whenNpmIsGone(() => stopping || stop())
  return {
    /** Registers what to take back at the end. */
    before: (each: Undo) => {
      undos.push(each)
    },
    undo,
  }
}

/**
 * `npm start` puts a shell between itself and this process, and a SIGTERM sent to npm ends the shell but does not get
 * through. That the shell is gone shows in this process having another parent.
 */
function whenNpmIsGone(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500)
  timer.unref()
}
