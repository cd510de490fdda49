import type { IncomingMessage } from 'node:http'

/** The headers of a request as the web has them. */
export const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(Object.entries(headers).filter((each): each is [string, string] => typeof each[1] === 'string'))
