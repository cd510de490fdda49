/**
 * A function whose results are kept by what they were made from, for what is asked again and again with few arguments.
 * @param most so many are kept; when there are more, all are made anew
 */
export function keepResults<Result>(
  most: number,
  make: (argument: string) => Result,
): (argument: string) => Result {
  const kept = new Map<string, Result>()
  return (argument) => {
    const known = kept.get(argument)
    if (known !== undefined) return known
    const made = make(argument)
    if (kept.size >= most) kept.clear()
    kept.set(argument, made)
    return made
  }
}
