/** Not all around: greens and yellows that white could not be read on at one lightness are left out. */
const hues = [12, 28, 45, 62, 95, 130, 155, 180, 205, 230, 250, 268, 285, 305, 325, 345]

/** The hue that a thing keeps for life: from its id, or from its name where nothing else is known. */
export function hueOf(id: string): number {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return hues[sum % hues.length] as number
}
