/**
 * A name without what XML cannot hold (controls, halves of surrogate pairs, noncharacters) and without what would turn
 * the direction of the text around it.
 */
export const cleanName = (name: string): string =>
  name
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu, '')
    .trim()
