import fs from 'node:fs'
import path from 'node:path'

/**
 * Loads environment variables from the file in ENV_FILE (default: `.env`). Variables that are already set
 * take precedence. If ENV_FILE is empty, no file is read. Prints a warning if ENV_FILE is set and the file
 * does not exist, because the server would otherwise start with default settings unnoticed.
 * @param {string} root the folder to which a relative path refers
 * @throws {Error} with a message for the instance admin if the file is not readable
 */
export function loadEnvFile(root) {
  const given = process.env.ENV_FILE
  const file = path.resolve(root, given ?? '.env')
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat && given) process.stderr.write(`ENV_FILE is ${given}, but this file does not exist.\n`)
  if (!stat?.isFile()) return
  try {
    process.loadEnvFile(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new Error(`The settings file ${file} is not readable: ${reason}`)
  }
}
