const key = Symbol.for('latchkey.trace-name')
const shared = globalThis as { [key]?: () => string | undefined }

/** Says how the trace is found that some work belongs to; entries name it from then on, as `trace_id`. */
export const nameTracesBy = (read: () => string | undefined): void => {
  shared[key] = read
}

/** The trace that the work under way belongs to; undefined outside of any. */
export const traceName = (): string | undefined => shared[key]?.()
