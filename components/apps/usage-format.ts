const figures = new Intl.NumberFormat('en')
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A count with its thousands apart. */
export const figure = (count: number): string => figures.format(count)

/** A day such as 2026-11-21 as "21 Nov", an hour such as 2026-11-21T14 as "21 Nov, 14:00". */
export const slotName = (at: string): string => {
  const [day, hour] = at.split('T')
  const name = days.format(new Date(`${day}T00:00:00Z`))
  return hour ? `${name}, ${hour}:00` : name
}
