/** The limits of uploaded images. The page shows them before the user selects a file. */
export const pictureLimits = {
  bytes: 4 * 1024 * 1024,
  /** The shortest side, in pixels. */
  side: 64,
  /** The maximum ratio of the long side to the short side. */
  ratio: 2,
  /** The maximum product of width and height. It limits the memory that a small file can decompress to. */
  pixels: 24_000_000,
}

/**
 * Returns the address of an image only if this service serves it or the page embeds it. An image at another host
 * would reveal to that host who views it, and when.
 * @param stored a path of this service, an address on another host, or a data URL
 */
export const ownPicture = (stored: string | null | undefined): string | undefined =>
  stored && /^(\/pictures\/[\w-]+\.webp$|data:image\/webp;base64,)/.test(stored) ? stored : undefined
