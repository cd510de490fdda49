/**
 * Prints the startup steps with their durations. On a terminal, each step has one line, which counts the
 * seconds while the step runs. Without a terminal, each step has a line at its start, progress lines if it is
 * long, and a line at its end.
 */

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const TICK_MS = 100
/**
 * The interval of progress lines, in milliseconds. They are printed without a terminal, and during steps that
 * print their own lines.
 */
const PROGRESS_MS = 15_000

/** @param {number} since @returns {string} */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/**
 * Runs a step and prints its name, result, and duration.
 * @template T
 * @param {string} label name of the step, such as "Installing packages"
 * @param {() => Promise<T>} work
 * @param {{ quietBelow?: number, talks?: boolean }} [options] A step that succeeds in less than `quietBelow`
 *   milliseconds leaves no result line. If `talks` is true, the step prints its own lines, so no line on the
 *   terminal counts the seconds
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
