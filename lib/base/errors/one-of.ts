/** A value is repeated in a sentence up to this length. */
const longest = 60

/** What a rule of input says of a value that is none of a few: which it was, and which there are. */
export const oneOf = (values: readonly string[]) => ({
  error: ({ input }: { input?: unknown }) =>
    `${typeof input === 'string' && input.length <= longest ? `“${input}”` : 'This'} is none of ${values.join(', ')}.`,
})
