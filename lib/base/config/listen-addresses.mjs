/** Where the server listens. Plain JavaScript, because the launcher tries the port before anything is installed. */

const loopback = ['127.0.0.1', '::1']

/**
 * @param {string | undefined} host the setting HOST
 * @returns {(string | undefined)[]} the addresses to listen on, the one that must be had first; undefined stands for every
 * interface, with IPv6 where there is any
 */
export function listenAddresses(host) {
  if (host === undefined || host === 'localhost') return loopback
  return host === '::' ? [undefined] : [host]
}

/**
 * @param {string | undefined} code of the system's error
 * @returns {boolean} whether the machine lacks such an address, as one without IPv6 lacks ::1
 */
export const isAddressMissing = (code) =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT'].includes(code ?? '')
