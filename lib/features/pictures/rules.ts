/**
 * The limits for uploaded images. The hint of the upload form (components/pictures/picture-field.tsx)
 * describes all of them except `pixels`.
 */
export const pictureLimits = {
  bytes: 4 * 1024 * 1024,
  /** The shortest side, in pixels. */
  side: 64,
  /** The maximum ratio of the long side to the short side. */
  ratio: 2,
  /**
   * The maximum product of width and height. A small compressed file can contain a large image, which uses a
   * lot of memory when it is decoded.
   */
  pixels: 24_000_000,
}

/**
 * Returns the given value if it is the path of an uploaded image on this instance or a WebP data URL. Returns
 * undefined for all other values, such as URLs on other hosts. A request to another host would reveal who
 * views the image and when.
 * @param stored a path on this instance, a URL on another host, or a data URL; null or undefined if there is
 * no image
 */
export const ownPicture = (stored: string | null | undefined): string | undefined =>
  stored && /^(\/pictures\/[\w-]+\.webp$|data:image\/webp;base64,)/.test(stored) ? stored : undefined
