import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { generate } from 'selfsigned'
import { makeTemporaryData, removeTemporaryData } from './temporary-data'

/**
 * The certificates for a PostgreSQL server with TLS, and a function that disables TLS again. The server's
 * certificate is valid only for `localhost`.
 */
export type DatabaseTls = {
  /** The certificate of the authority that signed the server's certificate. */
  ca: string
  /** The certificate of an unrelated authority. */
  stranger: string
  /** The path of the file that contains `ca`. */
  caFile: string
  off: () => Promise<void>
}

const authority = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })

/**
 * Enables TLS on a test's PostgreSQL, in addition to unencrypted connections.
 * @param url the database URL of a superuser
 */
export async function offerTls(url: string): Promise<DatabaseTls> {
  const [issuer, stranger] = await Promise.all([authority('An authority'), authority('Another authority')])
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: issuer.private, cert: issuer.cert },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SHOW data_directory')
  // Let the server write the certificate and the key, so that its account owns the files.
  const write = async (name: string, text: string) => {
    const file = path.posix.join(rows[0].data_directory.replaceAll('\\', '/'), name)
    const lines = pg.escapeLiteral(text.trim().replaceAll('\r', ''))
    await client.query(`COPY (SELECT string_to_table(${lines}, E'\\n')) TO ${pg.escapeLiteral(file)}`)
    // Restrict access, because PostgreSQL rejects a key file that other accounts can read.
    fs.chmodSync(file, 0o600)
  }
  await write('tls.crt', server.cert)
  await write('tls.key', server.private)
  const set = async (settings: string[]) => {
    for (const setting of settings) await client.query(`ALTER SYSTEM ${setting}`)
    await client.query('SELECT pg_reload_conf()')
  }
  await set(["SET ssl_cert_file = 'tls.crt'", "SET ssl_key_file = 'tls.key'", 'SET ssl = on'])
  const dir = makeTemporaryData()
  const caFile = path.join(dir, 'ca.pem')
  fs.writeFileSync(caFile, issuer.cert)
  return {
    ca: issuer.cert,
    stranger: stranger.cert,
    caFile,
    off: async () => {
      await set(['RESET ssl', 'RESET ssl_cert_file', 'RESET ssl_key_file'])
      await client.end()
      removeTemporaryData(dir)
    },
  }
}
