/** Why a request to an address that someone else named did not happen, or its answer was not taken. */
export type OutboundReason =
  | 'url'
  | 'address'
  | 'redirect'
  | 'timeout'
  | 'too-large'
  | 'content-type'
  | 'network'

/** A refused or failed request to the outside; the message is fit for the person who named the address. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  constructor(
    readonly reason: OutboundReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Finds the OutboundError in an error or among its causes: undici wraps what its connector throws. */
export function outboundErrorIn(error: unknown): OutboundError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'OutboundError') return current as OutboundError
  }
  return undefined
}
