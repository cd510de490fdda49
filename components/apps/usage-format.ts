const figures = new Intl.NumberFormat('en')
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A count with its thousands apart. */
export const figure = (count: number): string => figures.format(count)

/** A day such as 2026-11-21, as "21 Nov". */
export const shortDay = (day: string): string => days.format(new Date(`${day}T00:00:00Z`))
