/** The limits for uploaded images. The upload form shows them before the user selects a file. */
export const pictureLimits = {
  bytes: 4 * 1024 * 1024,
  /** The shortest side, in pixels. */
  side: 64,
  /** The maximum ratio of the long side to the short side. */
  ratio: 2,
  /** The maximum product of width and height. This limit matters because a small compressed file can use much memory. */
  pixels: 24_000_000,
}

/**
 * Returns the path or URL of an image if this instance serves the image or the image is a WebP data URL. Otherwise, returns
 * undefined, because a request to another host would reveal who views the image and when.
 * @param stored a path on this instance, a URL on another host, or a data URL
 */
export const ownPicture = (stored: string | null | undefined): string | undefined =>
  stored && /^(\/pictures\/[\w-]+\.webp$|data:image\/webp;base64,)/.test(stored) ? stored : undefined
