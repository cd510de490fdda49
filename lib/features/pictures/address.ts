import { config } from '@/lib/base/config/env'

/** Returns the path of an uploaded image. The owner's row stores this path. */
export const picturePath = (id: string): string => `/pictures/${id}.webp`

/**
 * Returns the public URL of an image, for apps and other clients.
 * @param stored the stored value: a path on this instance or a URL on another host
 */
export const pictureAddress = (stored: string): string =>
  stored.startsWith('/') ? config().BASE_URL + stored : stored
