/** Where the classes of answering times end, in milliseconds; the last has no end. */
export const timeClasses = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** What is counted, as the column `measure` has it. Words of ours alone: nobody outside can make up another. */
export type Measure =
  | 'requests'
  | 'errors'
  | `took:${number}`
  | 'took:longer'
  | 'sign-ins:good'
  | 'sign-ins:refused'
  | `tokens:${string}`
  | 'queue:waiting'
  | 'queue:looked'

/** The class of an answering time in milliseconds. */
export const timeClassOf = (milliseconds: number): Measure => {
  const end = timeClasses.find((each) => milliseconds <= each)
  return end === undefined ? 'took:longer' : `took:${end}`
}

/** How long a bucket is, in milliseconds. */
export const bucketMs = 300_000
