/** Prints one line per startup step, with its duration. On a terminal, the line counts the seconds while the step runs. */

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const TICK_MS = 100
/** The interval of progress lines without a terminal, in milliseconds. */
const PROGRESS_MS = 15_000

/** @param {number} since @returns {string} */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/**
 * Runs a step and prints its name, result and duration.
 * @template T
 * @param {string} label name of the step, such as "Installing packages"
 * @param {() => Promise<T>} work
 * @param {{ quietBelow?: number, talks?: boolean }} [options] A step shorter than `quietBelow` milliseconds prints nothing. A
 *   step that `talks` prints its own lines, so no seconds are counted between them
 * @returns {Promise<T>}
 */
export async function step(label, work, { quietBelow = 0, talks = false } = {}) {
  const since = performance.now()
  const live = process.stdout.isTTY === true && !talks
  let frame = 0
  const tick = () => {
    frame = (frame + 1) % FRAMES.length
    process.stdout.write(`\r\x1b[2K  ${FRAMES[frame]} ${label} ${seconds(since)}`)
  }
  if (!live && quietBelow === 0) console.log(`  ... ${label}`)
  const timer = live
    ? setInterval(tick, TICK_MS)
    : setInterval(() => console.log(`  ... ${label}, ${seconds(since)} so far`), PROGRESS_MS)
  timer.unref()
  try {
    const result = await work()
    if (performance.now() - since >= quietBelow) report('✓')
    else if (live) process.stdout.write('\r\x1b[2K')
    return result
  } catch (error) {
    report('✗')
    throw error
  } finally {
    clearInterval(timer)
  }

  /** @param {string} mark */
  function report(mark) {
    if (live) process.stdout.write('\r\x1b[2K')
    console.log(`  ${mark} ${label} (${seconds(since)})`)
  }
}
