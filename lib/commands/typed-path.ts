import path from 'node:path'

/** A path as it was typed: `npm run` goes to the folder of the package first, and tells where it was called from. */
export const typedPath = (typed: string): string => path.resolve(process.env.INIT_CWD ?? process.cwd(), typed)
