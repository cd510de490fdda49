/** The demo users of prisma/seed.ts, by first name. */
export const users = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.com' },
  grace: { name: 'Grace Hopper', email: 'grace@example.com' },
  edsger: { name: 'Edsger Dijkstra', email: 'edsger@example.com' },
} as const

export type UserName = keyof typeof users
