/** What a picture may be that people send. The page says the same before anybody chooses a file. */
export const pictureLimits = {
  bytes: 4 * 1024 * 1024,
  /** The shortest side, in pixels. */
  side: 64,
  /** How many times as long as the short side the long one may be. */
  ratio: 2,
  /** Width times height: what a small file can blow up to in memory. */
  pixels: 24_000_000,
}

/**
 * A picture's address as long as nobody else is asked for it: an upload of ours, or one that the page brings along. An app's
 * logo or a person's avatar at another host would tell that host who looks at them, and when.
 * @param stored a path of this service, another host's address, or a data URL
 */
export const ownPicture = (stored: string | null | undefined): string | undefined =>
  stored && /^(\/pictures\/[\w-]+\.webp$|data:image\/webp;base64,)/.test(stored) ? stored : undefined
