/**
 * Where an axis ends: the least even round number (2, 4, 6, 8 or 10 times a power of ten) that nothing reaches beyond, so
 * that half of it is a whole number too.
 */
export function axisTop(highest: number): number {
  if (highest <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(highest))
  return power * (evenSteps.find((step) => step * power >= highest) as number)
}

const evenSteps = [2, 4, 6, 8, 10]
