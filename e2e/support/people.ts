/** The demo people of prisma/seed.ts, by first name. */
export const people = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.com' },
  grace: { name: 'Grace Hopper', email: 'grace@example.com' },
  edsger: { name: 'Edsger Dijkstra', email: 'edsger@example.com' },
} as const

export type PersonName = keyof typeof people
