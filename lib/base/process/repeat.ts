import { log } from '@/lib/base/log/log'

/**
 * Does something again and again, a while after the last time ended, for as long as something else keeps the process.
 * One time that fails is told in the log.
 * @param name for the log
 * @param pauseMs how long that is, in milliseconds
 * @returns stops it at once: what is under way is neither waited for, nor followed by another time, nor told about
 */
export function repeat(name: string, run: () => Promise<unknown>, pauseMs = 1_000): () => void {
  let stopped = false
  let timer: NodeJS.Timeout
  const once = async () => {
    try {
      await run()
    } catch (error) {
      if (!stopped) log.warn('work that is repeated failed', { name, error })
    }
    if (!stopped) timer = setTimeout(once, pauseMs).unref()
  }
  timer = setTimeout(once, 0).unref()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
