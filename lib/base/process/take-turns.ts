/**
 * Lets so many do something at once. The others wait in line, first come, first served; with a line that is too long
 * already, whoever comes is refused at once.
 * See decision 111.
 * @param atOnce how many do it at the same time
 * @param mostWaiting how long the line may be
 * @param refusal what whoever finds it full is refused with
 * @returns does some work when it is its turn; throws what the work throws, or the refusal
 */
export function takeTurns(atOnce: number, mostWaiting: number, refusal: () => Error) {
  const line: (() => void)[] = []
  let busy = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= atOnce) {
      if (line.length >= mostWaiting) throw refusal()
      await new Promise<void>((resolve) => line.push(resolve))
    } else busy++
    try {
      return await work()
    } finally {
      const next = line.shift()
      // Whoever is next takes this place over; nobody can slip in between.
      if (next) next()
      else busy--
    }
  }
}
