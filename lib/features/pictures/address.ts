import { config } from '@/lib/base/config/env'

/** The path that an uploaded picture is served at; it is what its owner's row keeps. */
export const picturePath = (id: string): string => `/pictures/${id}.webp`

/**
 * A picture's address for the world outside: apps, and whatever they hand it to.
 * @param stored as the row has it: a path of this service, or another host's address
 */
export const pictureAddress = (stored: string): string =>
  stored.startsWith('/') ? config().BASE_URL + stored : stored
