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
