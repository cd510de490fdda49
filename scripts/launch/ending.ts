/** A function that stops or closes something that the launcher started, such as the server. */
export type Undo = () => Promise<unknown>

/**
 * Installs handlers for SIGINT, SIGTERM, and SIGHUP. The first signal stops everything that is registered
 * with `before`, in reverse order, and exits. A second signal calls the functions that are registered with
 * `atOnce` and exits immediately. If npm exits, this has the same effect as a first signal.
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
  // Ignore errors from writing to a closed terminal, because they must not prevent the database from being
  // stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  whenNpmIsGone(() => stopping || stop(0))
  return {
    /**
     * Registers a function that runs before the process exits. The function that was registered last runs
     * first.
     */
    before: (each: Undo) => {
      undos.push(each)
    },
    /**
     * Registers a function that runs at the second signal. It must end a child process without waiting for
     * its exit.
     */
    atOnce: (end: () => void) => {
      others.push(end)
    },
    /**
     * Prints the reason, stops everything, and exits with code 1, because something required has stopped.
     * Does nothing if the launcher is already stopping.
     * @param reason a message for the instance admin
     */
    fail: (reason: string) => {
      if (stopping) return
      console.error(reason)
      stop(1)
    },
    undo,
  }
}

/**
 * Calls `stop` when the parent process has exited, if npm started this process. `npm start` runs a shell
 * between npm and this process. A SIGTERM to npm ends the shell, but does not reach this process.
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

/** The functions that `endWithSignals` returns. */
export type Ending = ReturnType<typeof endWithSignals>
