import fs from 'node:fs'
import path from 'node:path'
import { definedStatements } from '@/lib/base/db/statements'

const definesStatements = /^import [^']*'@\/lib\/base\/db\/(?:statements|lists)'/m

/** Imports every module that defines statements. @returns the texts of all statements by name */
export async function loadStatements(): Promise<[name: string, texts: readonly string[]][]> {
  const modules = fs
    .readdirSync('lib', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^(?:generated|testing|base\/db)\//.test(file))
    .map((file) => path.resolve('lib', file))
    .filter((file) => definesStatements.test(fs.readFileSync(file, 'utf8')))
  for (const file of modules) await import(file)
  return [...definedStatements()]
}
