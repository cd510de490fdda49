import fs from 'node:fs'
import path from 'node:path'
import { notedStatements } from '@/lib/base/db/named-statements'

const definesStatements = /\b(?:statement|tokenStatement|readByKey|packedStatement|pageOfProjects)[<(]/

/** Loads every module that has a named statement. @returns all of them: their texts, by their names */
export async function loadStatements(): Promise<[name: string, texts: readonly string[]][]> {
  const modules = fs
    .readdirSync('lib', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^(?:generated|testing|base\/db)\//.test(file))
    .map((file) => path.resolve('lib', file))
    .filter((file) => definesStatements.test(fs.readFileSync(file, 'utf8')))
  for (const file of modules) await import(file)
  return [...notedStatements()]
}
