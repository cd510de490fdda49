/**
 * An event in an event stream (WHATWG HTML standard). The product's streams send a `next` event with each
 * result, and a `complete` event at the end.
 */
// biome-ignore lint/suspicious/noExplicitAny: the result of any operation
type StreamedEvent = { event: string; data: any }

/** A client's view of a subscription. */
export type Followed = {
  status: number
  headers: Headers
  /**
   * Waits for the next event, skipping comments. Returns the event, or undefined at the end of the stream.
   */
  next: () => Promise<StreamedEvent | undefined>
  /** Waits for the next event or comment. Returns undefined for a comment and at the end of the stream. */
  pulse: () => Promise<StreamedEvent | undefined>
  close: () => void
}

/**
 * Starts a subscription, and returns functions that read its stream. If the response is not a stream, `next`
 * and `pulse` return its JSON body as a single event named `answer`.
 * @param token the API token or access token; undefined sends no credentials
 */
export async function followStream(
  url: string,
  token: string | undefined,
  query: string,
  variables?: object,
): Promise<Followed> {
  const over = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    signal: over.signal,
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  })
  const { status, headers } = response
  const events = headers.get('content-type')?.startsWith('text/event-stream')
    ? eventsOf(response.body as ReadableStream<Uint8Array>)
    : oneAnswer(response)
  return {
    status,
    headers,
    next: async () => {
      for (;;) {
        const { value } = await events.next()
        if (value?.event !== '') return value ?? undefined
      }
    },
    pulse: async () => {
      const { value } = await events.next()
      return value?.event === '' ? undefined : (value ?? undefined)
    },
    close: () => over.abort(),
  }
}

async function* oneAnswer(response: Response): AsyncGenerator<StreamedEvent, void> {
  yield { event: 'answer', data: await response.json() }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const lines = part.split('\n')
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const [event, data] = [field('event'), field('data')]
        // Comments, which keep the connection alive, have no event name or data. Represent them by an empty
        // event name.
        yield { event: event ?? '', data: data ? JSON.parse(data) : undefined }
      }
    }
  } catch {
    // Ignore the error: the client or the server closed the connection.
  }
}
