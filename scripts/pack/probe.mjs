// The image's health check: requests /readyz and exits with 0 or 1. It runs often and therefore uses Node's HTTP client,
// because fetch would take twice as long.
import http from 'node:http'

const anywhere = ['', '::', '0.0.0.0', '[::]']
const { HOST = '', PORT } = process.env
http
  .get({
    host: anywhere.includes(HOST) ? '127.0.0.1' : HOST,
    port: PORT || 3000,
    path: '/readyz',
    timeout: 4_000,
  })
  .on('response', (answer) => process.exit(answer.statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
