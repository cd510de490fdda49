/** Takes back one thing that was started. */
export type Undo = () => Promise<unknown>

/**
 * Ends the process on SIGINT, SIGTERM or SIGHUP after taking back, last first, whatever was started; a second signal ends
 * it at once, and leaves no other process behind.
 */
export function endWithSignals() {
  const undos: Undo[] = []
  const others: (() => void)[] = []
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
  const stop = (code: number) => {
    if (stopping) {
      for (const end of others) end()
      process.exit(1)
    }
    stopping = true
    console.log('\nStopping ...')
    void undo().then(() => process.exit(code))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
  // A closed terminal takes the output with it, which must not keep the database from being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  whenNpmIsGone(() => stopping || stop(0))
  return {
    /** Registers what to take back at the end. */
    before: (each: Undo) => {
      undos.push(each)
    },
    /** Registers how to end a process of ours without waiting for it. */
    atOnce: (end: () => void) => {
      others.push(end)
    },
    /** Ends this process because something it cannot do without is gone. @param reason a sentence for the operator */
    fail: (reason: string) => {
      if (stopping) return
      console.error(reason)
      stop(1)
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

/** What `endWithSignals` gives. */
export type Ending = ReturnType<typeof endWithSignals>
